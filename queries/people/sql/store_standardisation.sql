-- store_standardisation: one row per criterion at hand: how its human scores were made.
-- The time stays as it was where nothing changed.
INSERT INTO standardisation BY NAME
WITH counted AS (
    SELECT standardised_judgement.criterion, count(*) AS judgements
    FROM standardised_judgement
    JOIN chosen_annotators USING (criterion)
    WHERE annotators = 'all' OR passed
    GROUP BY ALL
),
made AS (
    SELECT
        $campaign_id AS campaign_id,
        criterion,
        $deviation AS deviation,
        chosen_annotators.annotators,
        $threshold AS threshold,
        coalesce(counted.judgements, 0) AS judgements,
        concat_ws(
            '|', 'standardisation', 'deviation:' || $deviation, 'within:' || $within,
            'over:all_kinds', 'unvaried:' || $unvaried,
            'annotators:' || chosen_annotators.annotators, 'control:paired_t',
            'threshold:' || $threshold,
            CASE
                WHEN coalesce($average, if(starts_with(criterion, 'xsts'), 'median', 'mean')) = 'median'
                    THEN 'average:median'
            END,
            'calibration:' || $calibration,
            'version:2'
        ) AS signature,
        $ranked_by AS ranked_by,
        $ranked_over AS ranked_over,
        $ranked_test AS ranked_test,
        $domain_pattern AS domain_pattern,
        data_sha256,
        $tool AS tool
    FROM (FROM judged_criteria WHERE campaign_id = $campaign_id) AS judged
    JOIN chosen_annotators USING (criterion)
    LEFT JOIN counted USING (criterion)
)
SELECT made.*, coalesce(former.computed_at, now()) AS computed_at
FROM made
LEFT JOIN former_standardisation AS former
    USING (campaign_id, criterion, signature, data_sha256, tool)
ORDER BY criterion;
