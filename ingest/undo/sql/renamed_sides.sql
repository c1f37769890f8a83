-- renamed_sides: makes the temporary table renamed_side, one row per submission that is named after what is renamed.
-- $kind and $changed say which: the submission itself, or those of a campaign, system or treebank.
CREATE TEMP TABLE renamed_side AS
SELECT submission_id
FROM submission
WHERE $changed = CASE $kind
    WHEN 'campaign' THEN campaign_id
    WHEN 'system' THEN system_id
    WHEN 'treebank' THEN treebank_id
    ELSE submission_id
END;
