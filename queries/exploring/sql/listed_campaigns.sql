-- listed_campaigns: one row per campaign, newest first: how much there is of it.
SELECT
    campaign_id,
    any_value(campaign.year) AS year,
    count(DISTINCT treebank_id) AS treebanks,
    count(DISTINCT system_id) FILTER (WHERE system_kind <> 'human') AS systems,
    count(submission_id) AS submissions,
    sum(sentences - missing)::BIGINT AS outputs,
    max(created_at) AS newest
FROM campaign
LEFT JOIN submission_overview USING (campaign_id)
GROUP BY campaign_id
ORDER BY year DESC NULLS LAST, campaign_id;
