-- listed_patterns: one row per suspicious pattern of a submission, most suspicious first.
SELECT pattern, labels, metric, sentences, failed, failure_rate, base_rate, suspicion, p_holm
FROM suspicious_patterns
WHERE submission_id = $submission AND suspicious
ORDER BY suspicion DESC, pattern, labels, metric
LIMIT $rows;
