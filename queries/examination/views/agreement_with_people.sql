-- agreement_with_people: one row per campaign, treebank, metric, criterion, level and way of correlating: metrics against people.
-- grain: campaign_id, treebank_id, level, criterion, metric, method, outliers
-- group: people
-- listed: first
-- formerly: metric_agreements
-- Human references are no systems and left out. Table 9 of Mille et al. 2018 is level 'system', method 'pearson', outliers 'with'.
CREATE OR REPLACE VIEW agreement_with_people AS
SELECT
    metric_agreement.campaign_id,       -- the campaign
    campaign.year,                      -- year of the campaign
    metric_agreement.treebank_id,       -- the treebank
    treebank.language,                  -- language code of the treebank
    metric_agreement.level,             -- what is correlated: system or sentence
    metric_agreement.criterion,         -- what people judged
    metric_agreement.metric,            -- name of the metric
    measured.better,                    -- which of its scores are better: higher or lower
    metric_agreement.method,            -- pearson, spearman or kendall
    metric_agreement.outliers,          -- with or without outlier systems
    metric_agreement.n,                 -- systems, or outputs
    metric_agreement.coefficient,       -- correlation with people's mean z-scores, -1 to 1, negative where lower scores are better and it goes with people; NULL where undefined
    metric_agreement.p_value,           -- two-sided
    metric_agreement.williams_p_value,  -- Williams test (pearson): is the best metric's correlation higher? NULL for the best
    metric_agreement.among_best,        -- whether no metric is significantly better (pearson)
    metric_agreement.removed,           -- outlier systems that were left out
    metric_agreement.warning,           -- what makes the figure weak, such as few systems
    metric_agreement.undefined_reason   -- why the coefficient is NULL
FROM metric_agreement
LEFT JOIN (
    SELECT metric, any_value(better) AS better
    FROM signature
    GROUP BY metric
) AS measured ON measured.metric = metric_agreement.metric
LEFT JOIN campaign ON campaign.campaign_id = metric_agreement.campaign_id
LEFT JOIN treebank ON treebank.treebank_id = metric_agreement.treebank_id
ORDER BY
    metric_agreement.campaign_id, metric_agreement.treebank_id, level DESC, outliers, method,
    criterion, CASE WHEN better = 'lower' THEN -coefficient ELSE coefficient END DESC NULLS LAST,
    metric_agreement.metric;
