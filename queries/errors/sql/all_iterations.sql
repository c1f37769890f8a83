-- all_iterations: one row per iteration of the system of a submission, on its test set.
SELECT each.submission_id
FROM submission AS each
JOIN submission AS one USING (campaign_id, system_id, treebank_id)
WHERE one.submission_id = $submission;
