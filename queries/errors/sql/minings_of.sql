-- minings_of: one row per error mining of a submission: its labels and metric, and why it found nothing.
SELECT DISTINCT labels, metric, undefined_reason
FROM error_mining
SEMI JOIN current_analysis USING (submission_id, signature_id)
WHERE submission_id = $submission
ORDER BY ALL;
