-- marked_patterns: one row per pattern mined by a measure of marked errors: over how many submissions it goes with them.
SELECT
    metric AS measure, labels, pattern, nodes, submissions, suspicious_in, coverage, suspicion_mean,
    sentences, failed, failed / sentences AS failure_rate
FROM pattern_coverage
WHERE len(list_filter($criteria, lambda each: errors_of(metric, each, []) IS NOT NULL
    AND ($criterion IS NULL OR each = $criterion))) > 0
ORDER BY measure, labels, coverage DESC, suspicion_mean DESC NULLS LAST, pattern;
