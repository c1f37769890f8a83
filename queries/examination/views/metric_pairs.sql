-- metric_pairs: one row per two metrics and statistic of a campaign, treebank and criterion: does one agree better with people?
-- grain: campaign_id, treebank_id, criterion, people, level, grouping, statistic, metric, other_metric
-- group: people
-- formerly: metric_comparisons
CREATE OR REPLACE VIEW metric_pairs AS
SELECT
    campaign_id,    -- the campaign
    treebank_id,    -- the treebank
    criterion,      -- what people judged
    people,         -- which of their scores: raw or z
    level,          -- what is ordered: sentence (outputs) or system
    grouping,       -- whose outputs are compared: those of an item, of a system, or none: all
    statistic,      -- the statistic, as in metric_leaderboard
    metric,         -- the metric with the higher value
    other_metric,   -- the one it is compared with
    difference,     -- its value minus that of the other one
    p_permutation,  -- PERM-BOTH, one-sided: does it agree better? NULL without outliers, and for kendall where pairs are not grouped by item
    p_bootstrap,    -- two-sided, by the draws of the intervals in metric_leaderboard, centred; NULL as theirs
    p_corrected     -- PERM-BOTH, two-sided, corrected for all pairs of metrics: clusters rest on it; NULL until 'tracker examination metrics' runs again
FROM metric_comparison
ORDER BY
    campaign_id, treebank_id, criterion, people, level, grouping, statistic, difference DESC,
    metric, other_metric;
