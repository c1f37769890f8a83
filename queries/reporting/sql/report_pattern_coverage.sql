-- report_pattern_coverage: one row per pattern that is suspicious in one of the selected submissions, widest coverage first.
SELECT *
FROM pattern_coverage
WHERE settings = $settings AND suspicious_in > 0
ORDER BY coverage DESC, suspicion_mean DESC, pattern;
