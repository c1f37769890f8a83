-- sentences_missing: one row per sentence in which a submission misses an edge with a relation, in the order of listed_missed.
SELECT
    sentence_no,
    len(list_filter(found, lambda each, place: each = 0 AND deprels[place] = $deprel)) AS missed
FROM edge_outcome
SEMI JOIN (FROM current_scoring WHERE metric = 'dea') AS scoring USING (submission_id, signature_id)
JOIN submission USING (submission_id)
JOIN reference_edges USING (treebank_id, sentence_no)
WHERE submission_id = $submission AND missed > 0
ORDER BY missed DESC, list_avg(found), sentence_no;
