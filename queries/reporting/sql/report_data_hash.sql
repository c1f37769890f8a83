-- report_data_hash: one row: a hash of the outputs and references behind the report.
SELECT sha256(string_agg(concat_ws(' ', submission_id, submission.sha256, treebank.sha256), ',' ORDER BY submission_id)) AS sha256
FROM submission
JOIN treebank USING (treebank_id)
WHERE list_contains($submissions, submission_id);
