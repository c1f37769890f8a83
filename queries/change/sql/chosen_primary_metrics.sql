-- chosen_primary_metrics: one row per measure that verdicts of a campaign rest on, where somebody chose them.
-- $campaign: only this one; NULL for all.
-- grain: campaign_id, place
SELECT campaign_id, place, metric
FROM primary_metric
WHERE $campaign::VARCHAR IS NULL OR campaign_id = $campaign::VARCHAR
ORDER BY campaign_id, place;
