-- document_sentences: one row per sentence of a treebank whose document is known, in order, and what it is called.
SELECT document_id, sentence_no, coalesce(sent_id, sentence_no::VARCHAR) AS sentence
FROM sentence
JOIN sentence_source USING (treebank_id, sentence_no)
WHERE lower(treebank_id) = lower($treebank) AND document_id IS NOT NULL
ORDER BY sentence_no;
