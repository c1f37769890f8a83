-- comparable_scores: one row per current score of a submission; those of one treebank, metric and signature are comparable.
SELECT
    submission.treebank_id,
    metric,
    signature_id,
    submission_id,
    mean_score.undefined_reason,
    submission.sha256
FROM current_scoring
JOIN submission USING (submission_id)
JOIN mean_score USING (submission_id, metric, signature_id)
ORDER BY submission.treebank_id, metric, signature_id, submission_id;
