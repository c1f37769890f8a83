-- current_scoring: one row per submission and metric: the newest scoring of those there are.
CREATE OR REPLACE VIEW current_scoring AS
SELECT
    target AS submission_id,                              -- the submission
    metric,                                               -- name of the metric
    arg_max(signature_id, scored_at) AS signature_id,     -- how it was computed
    max(scored_at)                   AS scored_at         -- when
FROM scoring
WHERE metric <> 'treebank_analysis'
GROUP BY ALL;
