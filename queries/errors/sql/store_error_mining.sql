-- store_error_mining: one row per submission at hand: how its sentences are split into failed and passed.
INSERT INTO error_mining
SELECT
    signature_id,
    submission_id,
    $labels,
    $metric,
    CASE WHEN $threshold IS NULL THEN $quantile::DOUBLE END,
    coalesce(any_value(failed_sentence.threshold), $threshold::DOUBLE),
    count(failed) AS sentences,
    count(*) FILTER (WHERE failed) AS failures,
    $max_nodes,
    $minimum_support,
    CASE
        WHEN sentences = 0 THEN 'no sentence has a score'
        WHEN failures = sentences THEN 'no sentence passes'
        WHEN failures = 0 THEN 'no sentence fails'
    END
FROM pending_analysis
LEFT JOIN failed_sentence USING (submission_id)
GROUP BY signature_id, submission_id
ORDER BY submission_id;
