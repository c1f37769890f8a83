-- report_score_comparisons: one row per pair of submissions and metric.
SELECT *
FROM score_comparisons
WHERE list_contains($submissions, submission_id) AND list_contains($submissions, other_submission_id)
ORDER BY treebank_id, metric, submission_id, other_submission_id;
