-- report_selected: one row per submission that the report is about.
SELECT *
FROM submissions
WHERE list_contains($submissions, submission_id)
ORDER BY campaign_id, treebank_id, system_id, iteration, submission_id;
