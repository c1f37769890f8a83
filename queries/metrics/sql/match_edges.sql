-- match_edges: one row of edge_outcome per output whose reference has edges: which of them it has.
-- NULL in the temporary table output_edges where the reference has none.
CREATE OR REPLACE TEMP TABLE output_edges AS
SELECT
    signature_id, submission_id, sentence_no, metric,
    edges_found(output_lemmas, reference_lemmas, positions, distances) AS found
FROM lemma_pair
JOIN pending USING (submission_id)
LEFT JOIN reference_edges USING (treebank_id, sentence_no);

INSERT INTO edge_outcome
SELECT signature_id, submission_id, sentence_no, found
FROM output_edges
WHERE found IS NOT NULL;
