-- listed_pair_patterns: one row per pattern that is suspicious in one of two submissions: on how many sentences with it one scores better.
WITH chosen AS (
    SELECT pattern, labels, max(suspicion) AS suspicion
    FROM suspicious_patterns
    WHERE submission_id IN ($submission, $base) AND suspicious
    GROUP BY pattern, labels
),
occurrence AS (
    SELECT pattern, labels, suspicion, unnest(sentence_nos) AS sentence_no
    FROM subtree
    JOIN chosen USING (pattern, labels)
    WHERE treebank_id = $treebank
)
SELECT
    pattern,
    labels,
    count_if($direction * change < 0)        AS lost,
    count_if($direction * change > 0)        AS won,
    avg(base_score)                          AS base_mean,
    avg(score)                               AS mean,
    avg(change)                              AS change,
    count(*)                                 AS sentences,
    suspicion
FROM occurrence
JOIN sentence_pairs USING (sentence_no)
WHERE submission_id = $submission AND base_submission_id = $base AND metric = $metric
GROUP BY pattern, labels, suspicion
ORDER BY greatest(won, lost) DESC, suspicion DESC, pattern, labels
LIMIT $rows;
