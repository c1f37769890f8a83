-- submission_metrics: one row per submission and metric: the score of the whole submission, by the chosen settings, newest version.
-- grain: submission_id, metric
-- reads: current_scoring, mean_score, submission_identity
-- group: score
-- listed: first
CREATE OR REPLACE VIEW submission_metrics AS
SELECT
    identity.* EXCLUDE (params, tags),
    metric,                           -- name of the metric
    score,                            -- corpus-level score, over trials their mean: 0 to 1, NIST in bits; NULL where undefined
    trials,                           -- trials with a score: seeds, or samples; 1 where there are no others
    trial_sd,                         -- standard deviation of their scores; NULL of a single one
    sentences,                        -- sentences it is computed over
    undefined_reason,                 -- why the score is NULL
    signature.signature AS signature, -- what makes it comparable
    signature_id,                     -- the same, short: signatures of leaderboard hold it
    scored_at,                        -- when it was computed
    identity.params,
    identity.tags
FROM current_scoring
JOIN mean_score USING (submission_id, metric, signature_id)
JOIN submission_identity AS identity USING (submission_id)
JOIN signature USING (signature_id, metric);
