-- unscored_submissions: one row per submission at hand that has outputs, with what decides its signature and what of it is scored.
SELECT submission_id, treebank_id, treebank.sha256, list(signature_id) FILTER (WHERE signature_id IS NOT NULL) AS scored
FROM submission
JOIN treebank USING (treebank_id)
LEFT JOIN scoring ON target = submission_id AND scoring.metric = $metric AND data_sha256 = submission.sha256
WHERE list_contains($submissions, submission_id) AND submission.analysis <> 'none'
GROUP BY ALL
ORDER BY submission_id;
