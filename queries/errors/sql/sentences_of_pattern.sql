-- sentences_of_pattern: one row, the numbers of the sentences with a pattern, where the treebank's subtrees are enumerated.
-- None where the enumeration is of another version, or of other data.
SELECT sentence_nos
FROM subtree
JOIN subtree_enumeration AS done USING (treebank_id, labels)
JOIN treebank USING (treebank_id)
WHERE
    treebank_id = $treebank
    AND labels = $labels
    AND pattern = $pattern
    AND done.version = $version
    AND done.data_sha256 = treebank.sha256;
