-- register_campaign: make a campaign known, or add what is said of it.
MERGE INTO campaign USING (SELECT $id::VARCHAR AS campaign_id) USING (campaign_id)
WHEN MATCHED THEN UPDATE SET
    name = coalesce($name, campaign.name),
    year = coalesce($year, campaign.year),
    description = coalesce($text, campaign.description)
WHEN NOT MATCHED THEN INSERT VALUES ($id, coalesce($name, $id), coalesce($year, $guess), $text);
