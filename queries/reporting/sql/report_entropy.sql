-- report_entropy: one row per treebank and relation: its entropy and mean accuracy.
-- That ids lie between two, unlike that a list contains them, reaches the tables beneath a view's groups.
SELECT
    treebank_id,
    any_value(language) AS language,
    deprel,
    any_value(edges) AS edges,
    any_value(entropy) AS entropy,
    count(dea) AS submissions,
    avg(dea ORDER BY submission_id) AS dea
FROM entropy_dea
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
    AND list_contains($submissions, submission_id)
GROUP BY treebank_id, deprel
HAVING entropy IS NOT NULL AND dea IS NOT NULL
ORDER BY treebank_id, deprel;
