-- twice_judged_systems: one row per treebank and two ways in which people evaluated at least two systems of it: their z-scores.
-- The ways are two campaigns with the same criterion, or two criteria of a campaign.
SELECT
    one.campaign_id, one.criterion,
    other.campaign_id AS other_campaign_id, other.criterion AS other_criterion,
    treebank_id,
    list(one.z_score ORDER BY system)   AS z_scores,
    list(other.z_score ORDER BY system) AS other_z_scores
FROM judged_system AS one
JOIN judged_system AS other USING (treebank_id, system)
WHERE (one.campaign_id < other.campaign_id AND one.criterion = other.criterion)
    OR (one.campaign_id = other.campaign_id AND one.criterion < other.criterion)
GROUP BY ALL
HAVING count(*) > 1
ORDER BY ALL;
