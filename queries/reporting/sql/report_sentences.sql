-- report_sentences: one row per output shown, lowest BLEU first.
-- That ids lie between two, unlike that a list contains them, reaches the tables beneath a view's groups; that a list
-- contains the number, unlike the pair, reaches the outputs whose scores are gathered.
WITH shown AS (
    SELECT unnest($submissions) AS submission_id, unnest($sentence_nos) AS sentence_no
)
SELECT *
FROM output_scores
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
    AND list_contains($submissions, submission_id)
    AND list_contains($sentence_nos, sentence_no)
    AND (submission_id, sentence_no) IN (SELECT (submission_id, sentence_no) FROM shown)
ORDER BY bleu, submission_id, sentence_no;
