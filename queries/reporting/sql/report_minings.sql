-- report_minings: one row per submission and error mining.
SELECT mining.*, analysis.settings, analysis.signature
FROM error_mining AS mining
JOIN analysis USING (signature_id, submission_id)
SEMI JOIN current_analysis USING (signature_id, submission_id)
WHERE list_contains($submissions, submission_id)
ORDER BY labels, metric <> 'bleu', metric, settings, submission_id;
