-- listed_matches: one row per text, of a reference or of an output, that contains some words, references first.
SELECT treebank_id, sentence_no, sent_id, NULL AS submission_id, text
FROM sentence
WHERE contains(lower(text), lower($words))
UNION ALL
SELECT submission.treebank_id, sentence_no, NULL, output.submission_id, output.text
FROM output
JOIN submission USING (submission_id)
WHERE contains(lower(output.text), lower($words))
ORDER BY submission_id NULLS FIRST, treebank_id, sentence_no
LIMIT $rows;
