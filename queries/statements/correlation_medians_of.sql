-- correlation_medians_of: one row per pair of measures: their correlation over the selected submissions.
-- The view of this name has the same over all submissions.
SELECT
    method,
    unit,
    measure,
    other_measure,
    count(coefficient) AS submissions,
    median(coefficient) AS coefficient_median,
    avg(coefficient ORDER BY submission_id) AS coefficient_mean,
    avg((p_holm < 0.05)::INTEGER) AS significant
FROM correlations
WHERE list_contains($submissions, submission_id) AND method = $method
GROUP BY ALL
ORDER BY ALL;
