-- listed_scores: one row per submission and metric or human criterion: its score, with its interval where one was computed. Metrics of words are left out where the references have none.
WITH measured AS (
    SELECT submission_id, metric AS measure, score, mean_score.sentences, signature.signature
    FROM current_scoring
    JOIN mean_score USING (submission_id, metric, signature_id)
    JOIN signature USING (signature_id, metric)
    JOIN submission USING (submission_id)
    JOIN treebank ON treebank.treebank_id = submission.treebank_id
    WHERE score IS NOT NULL OR tokens > 0 OR hidden_text
    UNION ALL
    SELECT submission_id, criterion || '_z', z_mean, sentences, NULL
    FROM human_criterion_means
),
interval AS (
    SELECT submission_id, metric AS measure, low, high
    FROM metric_intervals
    WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
)
SELECT measure, score, low, high, sentences, signature, submission_id
FROM measured
LEFT JOIN interval USING (submission_id, measure)
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
    AND list_contains($submissions, submission_id)
ORDER BY submission_id, list_position($measures, measure) NULLS LAST, measure;
