-- planned_scores: one row per metric and output of the submissions ($submissions): its current score.
SELECT metric, submission_id, sentence_no, score
FROM sentence_score
SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
WHERE list_contains($submissions, submission_id) AND isfinite(score)
ORDER BY metric, submission_id, sentence_no;
