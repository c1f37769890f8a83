-- listed_scores: one row per metric and human criterion of a submission: its score, with its interval where one was computed.
WITH measured AS (
    SELECT metric AS measure, score, sentences, signature.signature
    FROM current_scoring
    JOIN submission_score USING (submission_id, metric, signature_id)
    JOIN signature USING (signature_id, metric)
    WHERE submission_id = $submission
    UNION ALL
    SELECT criterion || '_z', z_mean, sentences, NULL
    FROM human_criterion_means
    WHERE submission_id = $submission
),
interval AS (
    SELECT metric AS measure, low, high FROM score_intervals WHERE submission_id = $submission
)
SELECT measure, score, low, high, sentences, signature
FROM measured
LEFT JOIN interval USING (measure)
ORDER BY list_position($measures, measure) NULLS LAST, measure;
