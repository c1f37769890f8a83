-- system_metric_agreements: one row per metric, criterion and way of correlating over the systems that submissions were judged with.
SELECT *
FROM metric_agreements
WHERE level = 'system' AND outliers = 'with' AND (campaign_id, treebank_id) IN (
    SELECT (campaign_id, treebank_id)
    FROM submission
    WHERE list_contains($submissions, submission_id)
);
