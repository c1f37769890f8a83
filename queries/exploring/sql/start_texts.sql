-- start_texts: What was never generated?
SELECT submission_id, sentence_no, sentence.text AS reference
FROM output
JOIN submission USING (submission_id)
JOIN sentence USING (treebank_id, sentence_no)
WHERE output.text IS NULL
ORDER BY submission_id, sentence_no;
