-- training_split: one row: what is learned from for a treebank, the training or else the development split of its corpus.
SELECT other.treebank_id
FROM treebank
JOIN treebank AS other
    ON other.language = treebank.language
    AND other.corpus IS NOT DISTINCT FROM treebank.corpus
    AND other.scheme = treebank.scheme
    AND other.version IS NOT DISTINCT FROM treebank.version
WHERE treebank.treebank_id = $treebank
    AND other.treebank_id <> treebank.treebank_id
    AND other.split IN ('train', 'dev')
    AND NOT other.hidden_text
ORDER BY other.split DESC
LIMIT 1;
