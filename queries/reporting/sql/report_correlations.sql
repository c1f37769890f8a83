-- report_correlations: one row per pair of measures of one submission.
SELECT *
FROM correlations
WHERE list_contains($submissions, submission_id) AND method = $method
ORDER BY unit, measure, other_measure;
