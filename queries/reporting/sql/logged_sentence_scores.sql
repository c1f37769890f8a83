-- logged_sentence_scores: one row per output of a run's table.
SELECT *
FROM sentence_scores
WHERE list_contains($submissions, submission_id)
ORDER BY submission_id, sentence_no;
