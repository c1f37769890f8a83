-- verdicts: one row per submission and base whose comparison is stored: is it better, and on which relations?
-- grain: submission_id, base_submission_id
-- reads: current_comparison, submission_identity
-- group: compare and follow
-- listed: first
-- 'tracker submit', 'compare', 'gate', 'history' and 'log' store what they test; every command and page tells it as it
-- stands here. What rests on outputs or scores that were replaced since is left out.
CREATE OR REPLACE VIEW verdicts AS
SELECT
    identity.* EXCLUDE (params, tags),
    compared.base_submission_id,        -- the submission that it is compared with
    base.system_id AS base_system_id,   -- the system of the base
    base.iteration AS base_iteration,   -- the iteration of the base
    compared.outcome,                   -- better, worse, mixed, chance, untested or nothing in common
    compared.verdict,                   -- what the primary metrics say, in words
    compared.relations_verdict,         -- what the dependency relations say, in words
    compared.labels_verdict,            -- which sentences of one label's value changed most, in words
    compared.primary_metrics,           -- the measures that the verdict rests on
    compared.sentences,                 -- sentences compared
    compared.resampling_unit,           -- what is drawn and swapped whole: document, text or sentence
    compared.clusters,                  -- how many of these the sentences are of
    compared.replicates,                -- resampled test sets for an interval, the fewest for a p-value
    compared.seed,                      -- seed of the resampling
    compared.level,                     -- share of the replicates that an interval holds
    compared.alpha,                     -- a change is significant where its corrected p-value is below this
    compared.compared_at,               -- when it was tested
    compared.tool,                      -- version of sr-tracker that tested it
    identity.params,
    identity.tags
FROM current_comparison AS compared
JOIN submission_identity AS identity ON identity.submission_id = compared.submission_id
JOIN submission AS base ON base.submission_id = compared.base_submission_id;
