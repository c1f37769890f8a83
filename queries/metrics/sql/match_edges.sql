-- match_edges: one row of edge_match per reference edge: whether the output has it.
-- Found output by output first, as lists in the order of the edges' dependents (NULL without edges).
CREATE OR REPLACE TEMP TABLE output_edges AS
WITH gathered AS (
    SELECT treebank_id, sentence_no, list(reference_edge ORDER BY token_no) AS edges
    FROM (SELECT DISTINCT treebank_id FROM pending)
    JOIN reference_edge USING (treebank_id)
    GROUP BY ALL
),
sentence AS MATERIALIZED (
    SELECT
        treebank_id,
        sentence_no,
        list_transform(edges, lambda edge: edge.token_no) AS token_nos,
        list_transform(edges, lambda edge: edge.deprel) AS deprels,
        list_transform(edges, lambda edge: edge.distance) AS distances,
        array_to_string(
            list_transform(
                list_transform(edges, lambda edge: edge.head_lemma)
                || list_transform(edges, lambda edge: edge.lemma),
                lambda lemma: replace(lemma, ' ', chr(10))
            ),
            ' '
        ) AS ends
    FROM gathered
)
SELECT
    signature_id, submission_id, sentence_no, metric, token_nos, deprels,
    edges_found(output_lemmas, ends, distances) AS found
FROM lemma_pair
JOIN pending USING (submission_id)
LEFT JOIN sentence USING (treebank_id, sentence_no)
ORDER BY submission_id, sentence_no;

INSERT INTO edge_match
SELECT
    signature_id, submission_id, sentence_no, unnest(token_nos), unnest(deprels), unnest(found)
FROM output_edges;
