-- scorable_submissions: one row per submission: what its scores rest on.
SELECT
    submission_id, treebank_id, reference_form, analysis, submission.sha256,
    treebank.sha256 AS treebank_sha256, sentences, treebank.parsed_by, hidden_text, scheme
FROM submission
JOIN treebank USING (treebank_id)
ORDER BY treebank_id, submission_id;
