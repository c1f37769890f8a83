-- report_metric_changes: one row per two submissions that are compared, and metric.
-- $submissions: those of the report.
-- grain: submission_id, base_submission_id, measure
SELECT *
FROM measure_changes
WHERE kind = 'metric' AND list_contains($submissions, submission_id)
    AND list_contains($submissions, base_submission_id)
ORDER BY treebank_id, measure, submission_id, base_submission_id;
