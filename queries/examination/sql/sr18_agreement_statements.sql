-- sr18_table_9: one row per test set, criterion and metric or other criterion: Pearson's r over systems.
SELECT
    language,
    criterion,
    CASE metric WHEN 'bleu_smoothed' THEN 'bleu' ELSE metric END AS measure,
    coefficient AS r,
    n AS systems,
    williams_p_value AS williams_p,
    among_best,
    campaign_id AS campaign
FROM agreement_with_people
WHERE level = 'system' AND method = 'pearson' AND outliers = 'with'
    AND metric IN ('bleu_smoothed', 'nist', 'dist') AND n > 0
    AND campaign_id IN (
        SELECT campaign_id FROM submission WHERE list_contains($submissions, submission_id)
    )
UNION ALL
SELECT
    language,
    criterion,
    other_criterion,
    coefficient,
    n,
    NULL,
    NULL,
    campaign_id
FROM agreement_of_evaluations
WHERE campaign_id = other_campaign_id AND method = 'pearson'
    AND campaign_id IN (
        SELECT campaign_id FROM submission WHERE list_contains($submissions, submission_id)
    )
ORDER BY language, campaign, criterion, measure;

-- sr18_table_11: one row per criterion and two campaigns that judged the same systems: how alike they find them.
-- Of mean z-scores and of mean raw scores, over the systems that both judged, without human references.
WITH judged AS (
    SELECT *
    FROM human_leaderboard
    WHERE chosen AND system_kind <> 'human' AND raw_mean IS NOT NULL
        AND list_contains($submissions, submission_id)
)
SELECT
    'z_mean' AS score,
    criterion,
    coefficient AS r,
    n AS systems,
    campaign_id AS campaign,
    other_campaign_id AS other_campaign,
    language
FROM agreement_of_evaluations
WHERE campaign_id <> other_campaign_id AND criterion = other_criterion AND method = 'pearson'
    AND campaign_id IN (
        SELECT campaign_id FROM submission WHERE list_contains($submissions, submission_id)
    )
UNION ALL
SELECT
    'mean',
    one.criterion,
    corr(one.raw_mean, other.raw_mean),
    count(*),
    one.campaign_id,
    other.campaign_id,
    one.language
FROM judged AS one
JOIN judged AS other
    ON other.criterion = one.criterion
    AND other.treebank_id = one.treebank_id
    AND other.system_id = one.system_id
    AND other.iteration = one.iteration
    AND other.campaign_id > one.campaign_id
GROUP BY one.criterion, one.campaign_id, other.campaign_id, one.treebank_id, one.language
HAVING count(*) > 2
ORDER BY campaign, other_campaign, language, criterion, score;
