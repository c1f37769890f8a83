-- logged_dea_by_relation: one row per submission and relation of a run's table, lowest accuracy first.
SELECT *
FROM dea_by_relation
WHERE list_contains($submissions, submission_id)
ORDER BY submission_id, dea, deprel;
