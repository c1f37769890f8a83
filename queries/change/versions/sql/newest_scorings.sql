-- newest_scorings: one row per submission and metric: its newest scoring, and what decides today's signature.
SELECT
    submission_id,
    current_scoring.metric,
    signature_id,
    signature.signature,
    submission.treebank_id,
    treebank.sha256 AS data_sha256,
    treebank.parsed_by AS parsed,
    submission.reference_form,
    submission.analysis
FROM current_scoring
JOIN signature USING (signature_id)
JOIN submission USING (submission_id)
JOIN treebank ON treebank.treebank_id = submission.treebank_id
WHERE list_contains($submissions, submission_id)
ORDER BY current_scoring.metric, submission_id;
