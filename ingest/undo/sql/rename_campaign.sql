-- rename_campaign: lets a campaign's name follow its id where it had no other.
UPDATE campaign SET name = $new WHERE campaign_id = $new AND name = $old;
