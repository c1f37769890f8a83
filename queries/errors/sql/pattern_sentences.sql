-- pattern_sentences: one row per pattern of a treebank and sentence that contains it, small patterns first.
WITH pattern AS (
    SELECT
        row_number() OVER (ORDER BY nodes, pattern) - 1 AS pattern_no,
        sentence_nos
    FROM subtree
    WHERE treebank_id = $treebank_id AND labels = $labels AND nodes <= $max_nodes
)
SELECT pattern_no, unnest(sentence_nos) AS sentence_no
FROM pattern;
