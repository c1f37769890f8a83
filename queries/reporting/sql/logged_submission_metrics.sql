-- logged_submission_metrics: one row per submission and metric of a run's table.
SELECT *
FROM submission_metrics
WHERE list_contains($submissions, submission_id)
ORDER BY submission_id, metric;
