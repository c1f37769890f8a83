-- evaluated_metrics: one row per statistic and metric of what was just evaluated ($judged), as the view metric_leaderboard has it.
SELECT *
FROM metric_leaderboard
SEMI JOIN (
    SELECT unnest($judged::STRUCT(campaign_id VARCHAR, treebank_id VARCHAR, criterion VARCHAR)[], recursive := true)
) AS judged USING (campaign_id, treebank_id, criterion)
WHERE people = $people
    AND part_kind = $part_kind
    AND (level = 'system' OR grouping = $grouping)
    AND ($level::VARCHAR IS NULL OR level = $level)
ORDER BY campaign_id, treebank_id, criterion, part, level, statistic, place NULLS LAST, metric;
