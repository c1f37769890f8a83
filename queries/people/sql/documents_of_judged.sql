-- documents_of_judged: one row per treebank whose judged sentences are of documents: how many there are of both.
SELECT
    treebank_id,
    count(DISTINCT sentence_no) AS sentences,
    count(DISTINCT document_id) AS documents
FROM ranked_sentence
JOIN sentence_source USING (treebank_id, sentence_no)
WHERE document_id IS NOT NULL
GROUP BY treebank_id
HAVING documents < sentences
ORDER BY treebank_id;
