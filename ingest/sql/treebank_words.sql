-- treebank_words: one row per word of a treebank, in order.
SELECT sentence_no, token_no, form, lemma, upos, head, deprel
FROM token
WHERE treebank_id = $treebank
ORDER BY sentence_no, token_no;
