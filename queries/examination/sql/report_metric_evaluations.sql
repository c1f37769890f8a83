-- report_metric_evaluations: one row per treebank, criterion, statistic and metric, of the submissions' campaigns, over all sentences.
-- By people's raw scores, and outputs of an item, where there are several kinds.
SELECT *
FROM metric_leaderboard
WHERE (campaign_id, treebank_id) IN (
    SELECT (campaign_id, treebank_id) FROM submission WHERE list_contains($submissions, submission_id)
)
    AND part_kind = 'all'
QUALIFY people = min(people) OVER (PARTITION BY campaign_id, treebank_id, criterion)
    AND (
        level = 'system'
        OR grouping = min(grouping) OVER (PARTITION BY campaign_id, treebank_id, criterion, people, level)
    )
ORDER BY campaign_id, treebank_id, criterion, level, statistic, place NULLS LAST, metric;
