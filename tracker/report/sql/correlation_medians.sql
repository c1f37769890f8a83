-- correlation_medians: one row per pair of measures: medians over the submissions.
SELECT
    method,
    unit,
    measure,
    other_measure,
    count(coefficient) AS submissions,
    median(coefficient) AS coefficient_median,
    avg(coefficient ORDER BY submission_id) AS coefficient_mean,
    avg((p_holm < 0.05)::INTEGER ORDER BY submission_id) AS significant
FROM correlations
WHERE list_contains($submissions, submission_id) AND method = $method
GROUP BY ALL
HAVING submissions > 0
ORDER BY unit, measure, other_measure;
