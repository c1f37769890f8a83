-- external_targets: one row per submission whose scores are given: its treebank, the hashes of both, its campaign.
SELECT submission_id, treebank_id, treebank.sha256, submission.sha256, campaign_id
FROM submission
JOIN treebank USING (treebank_id)
SEMI JOIN (
    SELECT submission_id FROM given_sentence UNION SELECT submission_id FROM given_submission
) AS given USING (submission_id)
ORDER BY submission_id;
