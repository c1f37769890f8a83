-- logged_sentence_scores: one row per output of a run's table.
-- That ids lie between two, unlike that a list contains them, reaches the tables beneath a view's groups.
SELECT *
FROM sentence_scores
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
    AND list_contains($submissions, submission_id)
ORDER BY submission_id, sentence_no;
