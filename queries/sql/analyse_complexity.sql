-- analyse_complexity: syntactic complexity of every sentence of the treebanks at hand, both conventions.
-- reads: pending_tree
INSERT INTO sentence_complexity
WITH measured AS (
    SELECT
        treebank_id, sentence_no, convention,
        sentence_complexity(heads, punctuation, convention) AS complexity
    FROM pending_tree
    CROSS JOIN (VALUES ('standard'), ('tacl2021')) AS conventions (convention)
)
SELECT treebank_id, sentence_no, convention, unnest(complexity)
FROM measured
ORDER BY treebank_id, convention, sentence_no;
