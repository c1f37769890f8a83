-- logged_metrics: one row per submission and number that its run shows, by its name as a measure.
-- That ids lie between two, unlike that a list contains them, reaches the tables beneath a view's groups.
WITH measured AS (
    SELECT submission_id, metric AS measure, score AS value FROM submission_metrics
    UNION ALL
    SELECT submission_id, 'coverage', coverage FROM coverage
    UNION ALL
    SELECT submission_id, 'missing', missing FROM coverage
    UNION ALL
    SELECT submission_id, criterion || '_z', z_mean FROM human_criterion_means
    UNION ALL
    SELECT submission_id, criterion || '_raw', raw_mean FROM human_criterion_means
    UNION ALL
    SELECT submission_id, 'judged_sentences', count(DISTINCT sentence_no)
    FROM human_score GROUP BY submission_id
    UNION ALL
    SELECT submission_id, measure, score
    FROM submission_measures WHERE kind NOT IN ('metric', 'human', 'pattern', 'slice', 'grammar rule')
)
SELECT
    measured.submission_id,
    measured.measure,
    measured.value,
    primary_metric.metric IS NOT NULL AS is_primary -- whether verdicts of its campaign were chosen to rest on it
FROM measured
JOIN submission ON submission.submission_id = measured.submission_id
LEFT JOIN primary_metric
    ON primary_metric.campaign_id = submission.campaign_id AND primary_metric.metric = measured.measure
WHERE measured.submission_id BETWEEN list_min($submissions) AND list_max($submissions)
    AND list_contains($submissions, measured.submission_id)
ORDER BY measured.submission_id, measured.measure;
