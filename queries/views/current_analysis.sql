-- current_analysis: one row per submission, analysis and settings: the newest there is.
CREATE OR REPLACE VIEW current_analysis AS
SELECT
    submission_id,                                          -- the submission
    analysis,                                               -- correlation, projectivity, entropy, error_mining or significance
    settings,                                               -- what tells analyses of one kind apart
    arg_max(signature_id, analysed_at) AS signature_id,     -- how it was computed
    max(analysed_at)                   AS analysed_at       -- when
FROM analysis
GROUP BY ALL;
