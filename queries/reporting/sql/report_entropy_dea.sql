-- report_entropy_dea: one row per submission and relation with an entropy.
SELECT *
FROM entropy_dea
WHERE list_contains($submissions, submission_id) AND entropy IS NOT NULL AND dea IS NOT NULL
ORDER BY treebank_id, submission_id, deprel;
