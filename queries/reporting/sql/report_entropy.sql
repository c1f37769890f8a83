-- report_entropy: one row per treebank and relation: its entropy and mean accuracy.
SELECT
    treebank_id,
    any_value(language) AS language,
    deprel,
    any_value(edges) AS edges,
    any_value(entropy) AS entropy,
    count(dea) AS submissions,
    avg(dea ORDER BY submission_id) AS dea
FROM entropy_dea
WHERE list_contains($submissions, submission_id)
GROUP BY treebank_id, deprel
HAVING entropy IS NOT NULL AND dea IS NOT NULL
ORDER BY treebank_id, deprel;
