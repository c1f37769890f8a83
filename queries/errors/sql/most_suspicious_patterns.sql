-- most_suspicious_patterns: one row per pattern of highest suspicion in a submission: how often its sentences fail.
SELECT pattern, arg_max(failure_rate, suspicion) AS failure_rate
FROM suspicious_patterns
WHERE suspicious AND submission_id = $submission AND labels = $labels AND metric = $metric
GROUP BY pattern
ORDER BY max(suspicion) DESC, pattern
LIMIT $patterns;
