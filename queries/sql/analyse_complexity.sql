-- analyse_complexity: syntactic complexity of every sentence of the treebanks at hand, both conventions.
INSERT INTO sentence_complexity
WITH tree AS (
    SELECT
        treebank_id,
        sentence_no,
        list(head ORDER BY token_no) AS heads,
        list(is_punctuation(deprel, upos, form) ORDER BY token_no) AS punctuation
    FROM token
    JOIN pending_treebank USING (treebank_id)
    GROUP BY ALL
),
measured AS (
    SELECT
        treebank_id, sentence_no, convention,
        sentence_complexity(heads, punctuation, convention) AS complexity
    FROM tree
    CROSS JOIN (VALUES ('standard'), ('tacl2021')) AS conventions (convention)
)
SELECT treebank_id, sentence_no, convention, unnest(complexity)
FROM measured
ORDER BY treebank_id, convention, sentence_no;
