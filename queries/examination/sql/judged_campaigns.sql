-- judged_campaigns: one row per campaign of which people judged outputs.
SELECT DISTINCT campaign_id
FROM human_score
JOIN submission USING (submission_id)
ORDER BY campaign_id;
