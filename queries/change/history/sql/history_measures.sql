-- history_measures: one row per submission and measure: those whose name fits a regular expression or,
-- without one, what a history shows unasked: metrics, human criteria and relations.
SELECT submission_id, kind, measure, score, n, better, signature_id
FROM submission_measures
WHERE list_contains($submissions, submission_id)
AND CASE
    WHEN $names::VARCHAR IS NULL THEN kind IN ('metric', 'human', 'relation')
    ELSE regexp_full_match(measure, $names::VARCHAR)
END
ORDER BY measure, submission_id;
