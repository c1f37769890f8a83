-- sentence_called: the sentences of a treebank that a text may mean, by number before sent_id.
SELECT sentence_no
FROM sentence
WHERE treebank_id = $treebank AND $sentence IN (sentence_no::VARCHAR, sent_id)
ORDER BY sentence_no::VARCHAR = $sentence DESC, sentence_no;
