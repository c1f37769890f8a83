-- label_nodes: one row per word of a treebank's trees, or of some of them, punctuation stripped: its label and its head.
CREATE OR REPLACE TEMP TABLE labelled_node AS
WITH word AS (
    SELECT
        sentence_no, token_no, head_token_no,
        list_transform($attributes, lambda attribute: CASE attribute
            WHEN 'lemma' THEN lower(coalesce(token.lemma, form))
            WHEN 'upos' THEN token.upos
            WHEN 'xpos' THEN xpos
            WHEN 'deprel' THEN split_part(token.deprel, ':', 1)
            WHEN 'relation' THEN token.deprel
        END) AS attributes
    FROM token
    LEFT JOIN reference_edge USING (treebank_id, sentence_no, token_no)
    WHERE treebank_id = $treebank_id
        AND ($sentence_nos IS NULL OR list_contains($sentence_nos, sentence_no))
        AND NOT is_punctuation(token.deprel, token.upos, form)
),
label AS (
    SELECT attributes, row_number() OVER (ORDER BY attributes) - 1 AS label
    FROM (SELECT DISTINCT attributes FROM word)
),
numbered AS (
    SELECT
        word.*, label.label,
        row_number() OVER (ORDER BY sentence_no, token_no) - 1 AS node
    FROM word
    JOIN label ON label.attributes IS NOT DISTINCT FROM word.attributes
)
SELECT
    dependent.node, dependent.sentence_no, dependent.token_no, dependent.label,
    dependent.attributes, coalesce(head.node, -1) AS head_node
FROM numbered AS dependent
LEFT JOIN numbered AS head
    ON head.sentence_no = dependent.sentence_no
    AND head.token_no = dependent.head_token_no;
