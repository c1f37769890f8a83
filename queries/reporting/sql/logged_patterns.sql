-- logged_patterns: one row per suspicious pattern of a run's report, most suspicious first.
SELECT
    submission_id, pattern, labels, metric, sentences, failed, failure_rate, base_rate, suspicion,
    p_holm
FROM suspicious_patterns
WHERE list_contains($submissions, submission_id) AND suspicious
QUALIFY row_number() OVER (
    PARTITION BY submission_id ORDER BY suspicion DESC, pattern, labels, metric
) <= $shown
ORDER BY submission_id, suspicion DESC, pattern, labels, metric;
