-- pattern_submissions: one row per submission and error mining in which a subtree pattern was mined: how it goes with failure, most suspicious first.
SELECT
    submission_id, system_kind, year, treebank_id, labels, metric, pattern,
    sentences, failed, failure_rate, base_rate, suspicion, p_holm, suspicious
FROM suspicious_patterns
WHERE pattern = $pattern AND ($labels IS NULL OR labels = $labels)
ORDER BY suspicious DESC, suspicion DESC, submission_id, labels, metric
LIMIT $rows;
