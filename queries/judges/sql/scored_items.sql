-- scored_items: one row per output of the submissions at hand, with what it is compared with, in their order.
SELECT submission_id, sentence_no, source_text AS source, output.text AS output, sentence.text AS reference
FROM submission
JOIN output USING (submission_id)
JOIN sentence USING (treebank_id, sentence_no)
LEFT JOIN sentence_source USING (treebank_id, sentence_no)
WHERE list_contains($submissions, submission_id)
ORDER BY submission_id, sentence_no;
