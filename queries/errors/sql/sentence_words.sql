-- sentence_words: one row per sentence of a treebank: how many words its tree has.
SELECT sentence_no, count(token_no) AS words
FROM sentence
LEFT JOIN token USING (treebank_id, sentence_no)
WHERE treebank_id = $treebank_id
GROUP BY sentence_no
ORDER BY sentence_no;
