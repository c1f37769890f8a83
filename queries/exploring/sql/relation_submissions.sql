-- relation_submissions: one row per submission whose references have a dependency relation: how much of it is found, the best of a treebank first.
SELECT
    submission_id, system_kind, year, treebank_id,
    edges, round(edges * (1 - dea))::BIGINT AS missed, dea
FROM dea_by_relation
WHERE deprel = $deprel
ORDER BY treebank_id, dea DESC, submission_id
LIMIT $rows;
