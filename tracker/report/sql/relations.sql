-- relations: one row per relation, lowest mean accuracy first: all submissions weigh the same.
WITH in_treebanks AS (
    SELECT deprel, max(edges) AS edges
    FROM dea_by_relation
    WHERE list_contains($submissions, submission_id)
    GROUP BY deprel, treebank_id
)
SELECT
    deprel,
    (SELECT sum(edges)::BIGINT FROM in_treebanks WHERE in_treebanks.deprel = relation.deprel) AS edges,
    count(*) AS submissions,
    avg(dea ORDER BY submission_id) AS dea,
    median(dea) AS dea_median,
    min(dea) AS dea_min,
    max(dea) AS dea_max
FROM dea_by_relation AS relation
WHERE list_contains($submissions, submission_id)
GROUP BY deprel
ORDER BY dea, deprel;
