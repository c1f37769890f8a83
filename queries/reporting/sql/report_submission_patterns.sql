-- report_submission_patterns: one row per pattern of one submission that is more frequent among failed sentences.
SELECT *
FROM suspicious_patterns
WHERE list_contains($submissions, submission_id)
    AND list_contains($signatures, signature)
    AND failure_rate > base_rate
ORDER BY suspicious DESC, suspicion DESC, pattern;
