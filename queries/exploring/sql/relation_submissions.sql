-- relation_submissions: one row per submission whose references have a dependency relation: how much of it is found, the best of a treebank first.
WITH place AS (
    SELECT
        treebank_id, sentence_no,
        list_filter(range(1, len(deprels) + 1), lambda place: deprels[place] = $deprel) AS places
    FROM reference_edges
    WHERE list_contains(deprels, $deprel)
)
SELECT
    submission_id, any_value(system_kind) AS system_kind, any_value(year) AS year,
    identity.treebank_id,
    sum(len(places))::BIGINT AS edges,
    (edges - sum(list_sum(list_select(found, places))))::BIGINT AS missed,
    1 - missed / edges AS dea
FROM edge_outcome
SEMI JOIN (FROM current_scoring WHERE metric = 'dea') AS scoring USING (submission_id, signature_id)
JOIN submission_identity AS identity USING (submission_id)
JOIN place ON place.treebank_id = identity.treebank_id AND place.sentence_no = edge_outcome.sentence_no
GROUP BY submission_id, identity.treebank_id
ORDER BY identity.treebank_id, dea DESC, submission_id
LIMIT $rows;
