-- pattern_treebanks: one row per treebank in which a subtree pattern was enumerated: in how many sentences it is.
SELECT
    treebank_id, labels,
    len(sentence_nos) AS sentences,
    len(sentence_nos) / treebank.sentences AS share
FROM subtree
JOIN treebank USING (treebank_id)
WHERE pattern = $pattern AND ($labels IS NULL OR labels = $labels)
ORDER BY share DESC, treebank_id, labels;
