-- metric_leaderboard: one row per campaign, treebank, criterion, part of the sentences, statistic and metric: metrics against people.
-- grain: campaign_id, treebank_id, criterion, people, part_kind, part, level, grouping, statistic, metric
-- group: people
-- formerly: metric_evaluations
-- As metrics tasks do it (tracker examination metrics): ties are calibrated, systems are compared by pairs. Lower is better turned round before.
CREATE OR REPLACE VIEW metric_leaderboard AS
SELECT
    evaluated.campaign_id,      -- the campaign
    campaign.year,              -- year of the campaign
    evaluated.treebank_id,      -- the treebank
    treebank.language,          -- language code of the treebank
    evaluated.criterion,        -- what people judged
    evaluated.people,           -- which of their scores: raw or z
    evaluated.part_kind,        -- all, or what parts are of: domain, length, complexity, relation, document
    evaluated.part,             -- the part of the sentences; all
    evaluated.level,            -- what is ordered: sentence (outputs) or system
    evaluated.grouping,         -- whose outputs are compared: those of an item, of a system, or none: all
    evaluated.statistic,        -- accuracy (acc*_eq), kendall (tau-b), pearson, pairwise_accuracy, soft_accuracy (SPA) or pearson_without_outliers
    evaluated.metric,           -- name of the metric
    evaluated.value,            -- agreement, 1 at most; NULL where undefined
    evaluated.epsilon,          -- acc*_eq: scores no further apart are tied
    evaluated.low,              -- lower end of its 95% bootstrap interval on scores of sentences, for these systems, or for systems like these at level system; NULL for parts, and where groups are not items
    evaluated.high,             -- upper end
    evaluated.place,            -- 1 + the metrics that agree better
    evaluated.cluster,          -- 1 for the best; ends before the first metric that one in it is significantly better than, corrected for all pairs
    evaluated.systems,          -- systems
    evaluated.items,            -- sentences that were judged
    evaluated.outputs,          -- outputs that people and the metric scored
    evaluated.resamples,        -- permutations, and resampled test sets
    evaluated.seed,             -- seed of both
    evaluated.undefined_reason  -- why the value is NULL
FROM metric_evaluation AS evaluated
LEFT JOIN campaign ON campaign.campaign_id = evaluated.campaign_id
LEFT JOIN treebank ON treebank.treebank_id = evaluated.treebank_id
ORDER BY
    evaluated.campaign_id, evaluated.treebank_id, criterion, people, part_kind, part, level, grouping,
    statistic, place NULLS LAST, metric;
