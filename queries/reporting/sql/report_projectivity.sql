-- report_projectivity: one row per submission and metric.
SELECT *
FROM projectivity_tests
WHERE list_contains($submissions, submission_id)
ORDER BY treebank_id, system_id, submission_id, metric;
