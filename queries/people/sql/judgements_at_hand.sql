-- judgements_at_hand: a table with one row per judgement of a campaign, on one criterion or all.
CREATE TEMP TABLE judgement_at_hand AS
FROM judgement
WHERE campaign_id = $campaign_id AND criterion = coalesce($criterion, criterion)
ORDER BY judgement_no;
