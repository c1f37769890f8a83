-- logged_outputs: one row per output of a run's table: what a submission is loaded again from.
SELECT submission_id, sentence_no, sent_id, output.text
FROM output
JOIN submission USING (submission_id)
JOIN sentence USING (treebank_id, sentence_no)
WHERE list_contains($submissions, submission_id)
ORDER BY submission_id, sentence_no;
