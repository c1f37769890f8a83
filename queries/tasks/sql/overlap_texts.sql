-- overlap_texts: one row per sentence of a test set and side that has a text: what is looked for in training files.
SELECT 'reference' AS side, sentence_no, text
FROM sentence
WHERE treebank_id = $treebank AND text IS NOT NULL
UNION ALL
SELECT 'source', sentence_no, source_text
FROM sentence_source
WHERE treebank_id = $treebank AND source_text IS NOT NULL
ORDER BY side, sentence_no;
