-- carried_run: one row: a submission that is carried to another version of its treebank.
SELECT
    campaign_id, system_id, treebank_id, track, iteration, created_at, reference_form, analysis,
    params, tags, source
FROM submission
WHERE submission_id = $submission;
