-- given_trees: one row: whether a treebank has trees, and a treebank of the submissions with another number of sentences.
SELECT
    trees.sentences,
    trees.treebank_id IN (SELECT treebank_id FROM reference_edges) AS trees,
    min(other.treebank_id) AS other_treebank,
    arg_min(other.sentences, other.treebank_id) AS other_sentences
FROM treebank AS trees
LEFT JOIN (
    SELECT treebank_id, treebank.sentences
    FROM submission
    JOIN treebank USING (treebank_id)
    WHERE list_contains($submissions, submission_id)
) AS other
    ON other.sentences <> trees.sentences
WHERE trees.treebank_id = $trees
GROUP BY ALL;
