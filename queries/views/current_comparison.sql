-- current_comparison: one row per two submissions whose comparison is stored and still holds: the newest by standing settings.
-- grain: submission_id, base_submission_id
-- reads: superseded_comparison
-- group: internal
-- What rests on outputs or scores that were replaced since is left out: it is tested anew when it is asked for.
CREATE OR REPLACE VIEW current_comparison AS
SELECT
    submission_id,          -- the submission
    base_submission_id,     -- the one it is compared with
    settings_id,            -- how it was tested
    primary_metrics,        -- the measures that the verdict rests on
    replicates,             -- resampled test sets for an interval, the fewest for a p-value
    seed,                   -- seed of the resampling
    level,                  -- share of the replicates that an interval holds
    alpha,                  -- a change is significant where its corrected p-value is below this
    matched_by,             -- sentence, or text where the two are of different treebanks
    sentences,              -- sentences compared
    resampling_unit,        -- what is drawn and swapped whole: document, text or sentence
    clusters,               -- how many of these the sentences are of
    outcome,                -- better, worse, mixed, chance, untested or nothing in common
    verdict,                -- what the primary metrics say, in words
    relations_verdict,      -- what the dependency relations say, in words
    labels_verdict,         -- which sentences of one label's value changed most, in words
    tool,                   -- version of sr-tracker that tested it
    compared_at             -- when
FROM comparison
ANTI JOIN superseded_comparison USING (submission_id, base_submission_id, settings_id)
WHERE standard
QUALIFY row_number() OVER (
    PARTITION BY submission_id, base_submission_id ORDER BY compared_at DESC, settings_id
) = 1;
