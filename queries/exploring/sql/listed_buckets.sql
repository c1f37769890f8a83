-- listed_buckets: one row per part of the sentences by complexity: a submission's mean sentence scores on it.
WITH score AS (
    SELECT sentence_no, metric, score
    FROM sentence_score
    JOIN current_scoring USING (submission_id, metric, signature_id)
    WHERE submission_id = $submission AND metric IN (
        '{headline}',
    )
)
SELECT
    feature,
    bucket,
    min(counted) AS at_least,
    max(counted) AS at_most,
    avg(score) FILTER (WHERE metric = '{headline}') AS {headline},
    count(DISTINCT sentence_no) AS sentences
FROM complexity_buckets
JOIN score USING (sentence_no)
WHERE treebank_id = $treebank
GROUP BY feature, bucket
ORDER BY feature <> 'length', feature <> 'depth', bucket;
