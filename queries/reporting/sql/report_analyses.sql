-- report_analyses: one row per kind of analysis and settings.
SELECT
    analysis,
    regexp_replace(signature, '\|scores:.*$', '') AS signature,
    count(*) AS submissions
FROM analysis
SEMI JOIN current_analysis USING (submission_id, signature_id)
WHERE list_contains($submissions, submission_id)
GROUP BY ALL
ORDER BY ALL;
