-- scores_of_judged: one row per metric and output, or submission (sentence 0), among $submissions: the newest score.
-- Scores that people gave are none: they are what metrics are held against.
WITH current AS (
    FROM current_scoring
    WHERE list_contains($submissions, submission_id)
)
SELECT metric, submission_id, 0 AS sentence_no, score
FROM submission_score
SEMI JOIN current USING (submission_id, metric, signature_id)
WHERE score IS NOT NULL
UNION ALL
SELECT metric, submission_id, sentence_no, score
FROM sentence_score
SEMI JOIN current USING (submission_id, metric, signature_id)
WHERE score IS NOT NULL
ORDER BY metric, submission_id, sentence_no;
