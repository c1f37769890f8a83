-- listed_pair_buckets: one row per part of the sentences by complexity: on how many one of two submissions scores better, and the means.
SELECT
    feature,
    bucket,
    min(counted)                             AS at_least,
    max(counted)                             AS at_most,
    count_if($direction * change < 0)        AS lost,
    count_if($direction * change > 0)        AS won,
    avg(base_score)                          AS base_mean,
    avg(score)                               AS mean,
    avg(change)                              AS change,
    count(*)                                 AS sentences
FROM complexity_buckets
JOIN sentence_pairs USING (treebank_id, sentence_no)
WHERE treebank_id = $treebank
    AND submission_id = $submission AND base_submission_id = $base AND metric = $metric
GROUP BY feature, bucket
ORDER BY feature <> 'length', feature <> 'depth', bucket;
