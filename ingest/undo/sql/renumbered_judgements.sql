-- renumbered_judgements: numbers the judgements of campaigns that lost some from 1 again, in their order.
-- Reads the temporary table judged_campaign.
UPDATE judgement SET judgement_no = renumbered.number
FROM (
    SELECT
        campaign_id, judgement_no,
        row_number() OVER (PARTITION BY campaign_id ORDER BY judgement_no)::INTEGER AS number
    FROM judgement
    WHERE campaign_id IN (FROM judged_campaign)
) AS renumbered
WHERE judgement.campaign_id = renumbered.campaign_id
    AND judgement.judgement_no = renumbered.judgement_no;
