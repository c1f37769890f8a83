-- best_submissions: one row per system and treebank: the submission that is best by a measure.
SELECT
    system_id, treebank_id, campaign_id, submission_id, measure, score, sha256,
    signature.signature
FROM submission_measures
JOIN submission USING (submission_id, system_id, treebank_id, campaign_id)
LEFT JOIN signature USING (signature_id)
WHERE measure = $measure AND score IS NOT NULL
    AND list_contains($submissions, submission_id)
QUALIFY row_number() OVER (
    PARTITION BY system_id, treebank_id
    ORDER BY if(submission_measures.better = 'higher', -score, score), submission_id
) = 1
ORDER BY system_id, treebank_id;
