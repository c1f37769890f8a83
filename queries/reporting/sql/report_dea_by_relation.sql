-- report_dea_by_relation: one row per submission and relation.
-- That ids lie between two, unlike that a list contains them, reaches the tables beneath a view's groups.
SELECT *
FROM dea_by_relation
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
    AND list_contains($submissions, submission_id)
ORDER BY submission_id, deprel;
