-- analyses_of_outdated_human_scores: one row per analysis of a submission that loses its scores made of judgements.
-- Reads the temporary table judged_campaign. Intervals and tests of metrics do not rest on human scores.
CREATE TEMP TABLE outdated_analysis AS
SELECT DISTINCT signature_id, submission_id
FROM analysis
SEMI JOIN (FROM human_score WHERE source = 'judgements') AS lost USING (submission_id)
JOIN submission USING (submission_id)
WHERE analysis.analysis <> 'significance' AND campaign_id IN (FROM judged_campaign);
