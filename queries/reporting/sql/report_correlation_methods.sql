-- report_correlation_methods: one row per method of correlation that was computed, Spearman's first.
SELECT method
FROM correlations
WHERE list_contains($submissions, submission_id)
GROUP BY method
ORDER BY method <> 'spearman', method;
