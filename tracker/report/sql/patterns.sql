-- patterns: one row per pattern: over how many submissions it is suspicious, and how much.
SELECT
    labels,
    pattern,
    any_value(nodes) AS nodes,
    count(*) AS submissions,
    count_if(suspicious) AS suspicious_in,
    count_if(suspicious) / $mined AS coverage,
    avg(suspicion ORDER BY submission_id) FILTER (WHERE suspicious) AS suspicion_mean,
    median(suspicion) FILTER (WHERE suspicious) AS suspicion_median,
    sum(sentences)::BIGINT AS sentences,
    sum(failed)::BIGINT AS failed
FROM suspicious_patterns
WHERE list_contains($submissions, submission_id) AND list_contains($signatures, signature)
GROUP BY labels, pattern
HAVING suspicious_in > 0
ORDER BY coverage DESC, suspicion_mean DESC, pattern;
