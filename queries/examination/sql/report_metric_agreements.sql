-- report_metric_agreements: one row per treebank, metric, criterion and way of correlating, of the submissions' campaigns.
SELECT *
FROM agreement_with_people
WHERE (campaign_id, treebank_id) IN (
    SELECT (campaign_id, treebank_id) FROM submission WHERE list_contains($submissions, submission_id)
)
    AND coefficient IS NOT NULL
ORDER BY
    campaign_id, treebank_id, criterion, level = 'sentence', method <> 'pearson', method,
    outliers = 'without', coefficient DESC, metric;
