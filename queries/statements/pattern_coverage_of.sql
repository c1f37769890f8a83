-- pattern_coverage_of: one row per pattern: over how many of the selected submissions it is suspicious.
-- The view of this name has the same over all submissions; $mined is how many were mined.
SELECT
    labels,
    metric,
    pattern,
    nodes,
    count(*) AS submissions,
    count(*) FILTER (suspicious) AS suspicious_in,
    suspicious_in / $mined AS coverage,
    avg(suspicion ORDER BY submission_id) FILTER (WHERE suspicious) AS suspicion_mean,
    median(suspicion) FILTER (WHERE suspicious) AS suspicion_median
FROM suspicious_patterns
WHERE list_contains($submissions, submission_id) AND settings = $settings
GROUP BY labels, metric, pattern, nodes
ORDER BY coverage DESC, suspicion_mean DESC, pattern;
