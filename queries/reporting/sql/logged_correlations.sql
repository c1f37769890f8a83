-- logged_correlations: one row per submission, method and pair of measures of a run's table.
SELECT *
FROM correlations
WHERE list_contains($submissions, submission_id)
ORDER BY submission_id, method, unit, measure, other_measure;
