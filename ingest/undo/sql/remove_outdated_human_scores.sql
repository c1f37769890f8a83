-- remove_outdated_human_scores: removes scores made of judgements, where an annotator's mean now rests on fewer.
-- Reads the temporary table judged_campaign. Scores that files brought stay.
DELETE FROM human_score
WHERE source = 'judgements' AND submission_id IN (
    SELECT submission_id FROM submission WHERE campaign_id IN (FROM judged_campaign)
);
