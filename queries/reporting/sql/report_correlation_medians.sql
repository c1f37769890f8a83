-- report_correlation_medians: one row per pair of measures: their correlation over the selected submissions.
SELECT *
FROM correlation_medians
WHERE method = $method AND submissions > 0
ORDER BY unit, measure, other_measure;
