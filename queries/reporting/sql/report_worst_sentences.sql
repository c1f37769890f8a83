-- report_worst_sentences: one row per output: those with the lowest BLEU of each submission.
SELECT submission_id, sentence_no
FROM sentence_score
SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
WHERE metric = 'bleu' AND list_contains($submissions, submission_id) AND score < 1
QUALIFY row_number() OVER (PARTITION BY submission_id ORDER BY score, sentence_no) <= $shown
ORDER BY score, submission_id, sentence_no;
