-- relation_treebanks: one row per treebank whose references have a dependency relation: how often.
SELECT
    treebank_id,
    count(*) FILTER (WHERE deprel = $deprel) AS edges,
    edges / count(*) AS share,
    count(DISTINCT sentence_no) FILTER (WHERE deprel = $deprel) AS sentences,
    avg(abs(distance)) FILTER (WHERE deprel = $deprel) AS mean_distance
FROM reference_edge
GROUP BY treebank_id
HAVING edges > 0
ORDER BY edges DESC, treebank_id;
