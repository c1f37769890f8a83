-- primary_metrics: one row per measure that verdicts of a campaign rest on, where somebody chose them.
-- grain: metric
SELECT metric
FROM primary_metric
WHERE campaign_id = $campaign
ORDER BY place;
