-- renamed_submissions: adds one row per submission whose id does not say what it is to the temporary table renamed.
-- $kind and $changed say which: the submission itself, or those of a campaign, system or treebank.
INSERT INTO renamed
SELECT 'submission', submission_id, composed
FROM (
    SELECT
        submission_id,
        concat_ws('/', campaign_id, system_id, treebank_id)
        || CASE WHEN iteration > 1 THEN '@' || iteration ELSE '' END AS composed
    FROM submission
    WHERE $changed = CASE $kind
        WHEN 'campaign' THEN campaign_id
        WHEN 'system' THEN system_id
        WHEN 'treebank' THEN treebank_id
        ELSE submission_id
    END
)
WHERE composed <> submission_id;
