-- current_scoring: one row per submission and metric: the newest scoring by the chosen settings.
-- grain: submission_id, metric
-- reads: passed_over_signature
-- group: internal
CREATE OR REPLACE VIEW current_scoring AS
SELECT
    target AS submission_id,                              -- the submission
    metric,                                               -- name of the metric
    arg_max(signature_id, revision) AS signature_id,      -- how it was computed
    arg_max(scored_at, revision)    AS scored_at,         -- when
    max(revision)                   AS revision           -- number of the step that stored it: the higher is the newer
FROM scoring
ANTI JOIN passed_over_signature USING (signature_id)
WHERE metric <> 'treebank_analysis'
GROUP BY ALL;
