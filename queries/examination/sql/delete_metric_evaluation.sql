-- delete_metric_evaluation: forget how metrics agreed with people on a treebank and criterion, by what is computed again.
DELETE FROM metric_evaluation
WHERE
    campaign_id = $campaign AND treebank_id = $treebank AND criterion = $criterion
    AND people = $people AND (level = 'system' OR grouping = $grouping) AND part_kind = $kind;
