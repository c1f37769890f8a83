-- report_score_intervals: one row per submission and metric.
SELECT *
FROM score_intervals
WHERE list_contains($submissions, submission_id)
ORDER BY treebank_id, metric, score DESC NULLS LAST, submission_id;
