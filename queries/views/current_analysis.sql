-- current_analysis: one row per submission, analysis and settings: the newest there is.
-- grain: submission_id, analysis, settings
-- group: internal
CREATE OR REPLACE VIEW current_analysis AS
SELECT
    submission_id,                                          -- the submission
    analysis,                                               -- correlation, projectivity, entropy, error_mining or significance
    settings,                                               -- what tells analyses of one kind apart
    arg_max(signature_id, revision) AS signature_id,        -- how it was computed
    arg_max(analysed_at, revision)  AS analysed_at,         -- when
    max(revision)                   AS revision             -- number of the step that stored it: the higher is the newer
FROM analysis
GROUP BY ALL;
