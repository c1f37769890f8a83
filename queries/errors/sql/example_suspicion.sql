-- example_suspicion: how much a pattern goes with failure in a submission's newest mining, if it was mined.
SELECT suspicion, sentences, failed, failure_rate, base_rate, p_holm
FROM suspicious_patterns
JOIN analysis USING (submission_id, signature)
WHERE submission_id = $submission_id
    AND labels = $labels
    AND metric = $metric
    AND pattern = $pattern
ORDER BY analysis.revision DESC, signature
LIMIT 1;
