-- listed_buckets: one row per submission and part of the sentences by complexity: its mean sentence scores on it.
WITH score AS (
    SELECT submission_id, sentence_no, metric, score
    FROM sentence_score
    JOIN current_scoring USING (submission_id, metric, signature_id)
    WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
        AND list_contains($submissions, submission_id)
        AND metric IN (
            '{headline}',
        )
)
SELECT
    feature,
    bucket,
    min(counted) AS at_least,
    max(counted) AS at_most,
    avg(score) FILTER (WHERE metric = '{headline}') AS {headline},
    count(DISTINCT sentence_no) AS sentences,
    submission_id
FROM score
JOIN submission USING (submission_id)
JOIN complexity_buckets USING (treebank_id, sentence_no)
GROUP BY submission_id, feature, bucket
ORDER BY submission_id, feature <> 'length', feature <> 'depth', bucket;
