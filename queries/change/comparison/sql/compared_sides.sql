-- compared_sides: one row per submission, with what there is to say of a side of a comparison.
-- $submissions: their ids.
-- grain: submission_id
SELECT
    submission_id,
    campaign_id,
    year,
    system_id,
    iteration,
    treebank_id,
    language,
    reference_form,
    analysis,
    created_at AT TIME ZONE 'UTC' AS created_utc
FROM submission
LEFT JOIN campaign USING (campaign_id)
LEFT JOIN treebank USING (treebank_id)
WHERE list_contains($submissions, submission_id);
