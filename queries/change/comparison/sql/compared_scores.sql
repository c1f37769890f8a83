-- compared_scores: one row per score of some submissions by the chosen settings, superseded ones included: newest first by metric and
-- submission.
SELECT
    scoring.metric,
    target AS submission_id,
    signature_id,
    parameters,
    text_level,
    tokeniser,
    versions,
    signature.data_sha256,
    score,
    undefined_reason
FROM scoring
ANTI JOIN passed_over_signature USING (signature_id)
JOIN signature USING (signature_id)
LEFT JOIN mean_score
    ON mean_score.submission_id = target
    AND mean_score.signature_id = scoring.signature_id
    AND mean_score.metric = scoring.metric
WHERE list_contains($submissions, target)
ORDER BY scoring.metric, target, scoring.revision DESC, signature_id;
