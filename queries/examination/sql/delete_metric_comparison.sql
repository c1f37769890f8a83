-- delete_metric_comparison: forget which metrics agreed better with people, by what is computed again.
DELETE FROM metric_comparison
WHERE
    campaign_id = $campaign AND treebank_id = $treebank AND criterion = $criterion
    AND people = $people AND (level = 'system' OR grouping = $grouping);
