-- report_sentences: one row per output shown, lowest BLEU first.
WITH shown AS (
    SELECT unnest($submissions) AS submission_id, unnest($sentence_nos) AS sentence_no
)
SELECT *
FROM sentence_scores
WHERE list_contains($submissions, submission_id)
    AND (submission_id, sentence_no) IN (SELECT (submission_id, sentence_no) FROM shown)
ORDER BY bleu, submission_id, sentence_no;
