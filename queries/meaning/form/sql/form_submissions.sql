-- form_submissions: one row per submission: its treebank, their hashes, and which text its outputs are held against.
SELECT
    submission.submission_id,
    submission.treebank_id,
    treebank.language,
    treebank.sha256 AS treebank_sha256,
    submission.sha256 AS data_sha256,
    submission.reference_form
FROM submission
JOIN treebank USING (treebank_id)
ORDER BY submission.treebank_id, submission.reference_form, submission.submission_id;
