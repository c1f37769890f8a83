-- submission_history: one row per submission in the order of its system's iterations, with the change from the run before.
-- grain: submission_id
-- reads: leaderboard, submission_identity
-- group: compare and follow
-- The run before is the parent or, where none is known because iterations were loaded out of order,
-- the system's previous iteration on the track. Scores on another treebank or against another
-- reference form are not comparable: there the changes are NULL.
CREATE OR REPLACE VIEW submission_history AS
WITH run AS (
    SELECT
        *,
        coalesce(parent_submission_id, lag(submission_id) OVER (
            PARTITION BY campaign_id, system_id, treebank_id, track ORDER BY iteration
        )) AS previous_submission_id
    FROM submission
)
SELECT
    identity.* EXCLUDE (params, tags),
    run.parent_submission_id,                      -- the run it was developed from, where that is known
    run.previous_submission_id,                    -- the run it is compared with
    run.created_at,                                -- when the model run was made
    own.bleu,                                      -- BLEU-4 of the corpus, lower-cased words between blanks, 0 to 1
    own.bleu - previous.bleu AS bleu_change,       -- its change from the run before
    own.bleu_13a,                                  -- BLEU-4 of the corpus as sacreBLEU's default (13a, mixed case), 0 to 1
    own.bleu_13a - previous.bleu_13a AS bleu_13a_change,  -- its change from the run before
    own.nist,                                      -- NIST of 5-grams, in bits
    own.nist - previous.nist AS nist_change,       -- its change from the run before
    own.dist,                                      -- mean inverse edit distance, at most 1
    own.dist - previous.dist AS dist_change,       -- its change from the run before
    own.chrf,                                      -- chrF2, 0 to 1
    own.chrf - previous.chrf AS chrf_change,       -- its change from the run before
    own.ter,                                       -- translation edit rate, lower is better, 0 or more
    own.ter - previous.ter AS ter_change,          -- its change from the run before
    own.dea,                                       -- dependency edge accuracy, 0 to 1
    own.dea - previous.dea AS dea_change,          -- its change from the run before
    identity.params,
    identity.tags
FROM run
JOIN submission_identity AS identity ON identity.submission_id = run.submission_id
JOIN leaderboard AS own
    ON own.submission_id = run.submission_id
LEFT JOIN leaderboard AS previous
    ON previous.submission_id = run.previous_submission_id
    AND previous.treebank_id = run.treebank_id
    AND previous.reference_form = run.reference_form
ORDER BY run.campaign_id, run.system_id, run.treebank_id, run.track, run.iteration, run.submission_id;
