-- pattern_years: one row per year, test set, labels and metric of error mining: in how many submissions a subtree pattern goes with failure.
SELECT
    year, campaign_id, treebank_id, labels, metric,
    count(*) AS submissions,
    count(*) FILTER (WHERE suspicious) AS suspicious_in,
    avg(failure_rate ORDER BY submission_id) AS failure_rate,
    avg(base_rate ORDER BY submission_id) AS base_rate
FROM suspicious_patterns
WHERE pattern = $pattern AND ($labels IS NULL OR labels = $labels)
GROUP BY ALL
ORDER BY treebank_id, labels, metric, year, campaign_id;
