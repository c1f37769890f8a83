-- left_agreements: one row per campaign whose agreement of metrics with people rests on scores that were renewed.
-- $submissions and $metrics: whose scores were, by which metric.
-- grain: campaign_id
WITH renewed AS (
    SELECT
        unnest($submissions::VARCHAR[]) AS submission_id,
        unnest($metrics::VARCHAR[]) AS metric
),
rescored AS (
    SELECT campaign_id, metric
    FROM submission
    JOIN renewed USING (submission_id)
)
SELECT DISTINCT campaign_id
FROM metric_agreement
SEMI JOIN rescored USING (campaign_id, metric)
ORDER BY campaign_id;
