-- minable_submissions: one row per treebank: the submissions to mine whose errors can be.
SELECT treebank_id, list(submission_id ORDER BY submission_id) AS submissions
FROM pending_analysis
SEMI JOIN (FROM error_mining WHERE undefined_reason IS NULL) USING (signature_id, submission_id)
GROUP BY treebank_id
ORDER BY treebank_id;
