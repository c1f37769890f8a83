-- report_entropy_dea: one row per submission and relation with an entropy.
-- That ids lie between two, unlike that a list contains them, reaches the tables beneath a view's groups.
SELECT *
FROM entropy_dea
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
    AND list_contains($submissions, submission_id)
    AND entropy IS NOT NULL
    AND dea IS NOT NULL
ORDER BY treebank_id, submission_id, deprel;
