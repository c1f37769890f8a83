-- judged_campaigns_of_removed: one row per campaign that stays and whose people judged removed submissions.
-- Reads the temporary table removed.
CREATE TEMP TABLE judged_campaign AS
WITH gone AS (
    SELECT id AS submission_id FROM removed WHERE kind = 'submission'
),
judged AS (
    SELECT submission_id FROM human_score
    UNION
    SELECT submission_id FROM judgement
)
SELECT DISTINCT campaign_id
FROM submission
SEMI JOIN gone USING (submission_id)
SEMI JOIN judged USING (submission_id)
WHERE campaign_id NOT IN (SELECT id FROM removed WHERE kind = 'campaign');
