-- start_relations: Which dependency relations are hardest, on average over submissions?
SELECT deprel, count(*) AS submissions, sum(edges) AS edges, avg(dea) AS dea
FROM dea_by_relation
GROUP BY deprel
ORDER BY dea;
