-- grammar_reference_trees: one row: language and scheme of the trees of a treebank's references.
SELECT
    treebank_id AS name,
    language,
    (SELECT mode(relation_scheme(deprel)) FROM token WHERE treebank_id = $treebank) AS scheme
FROM treebank
WHERE treebank_id = $treebank;
