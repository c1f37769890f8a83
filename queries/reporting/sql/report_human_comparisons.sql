-- report_human_comparisons: one row per ordered pair of submissions and criterion.
SELECT human_comparisons.*
FROM human_comparisons
JOIN standardisation USING (campaign_id, criterion, annotators)
WHERE list_contains($submissions, submission_id) AND list_contains($submissions, other_submission_id)
ORDER BY campaign_id, treebank_id, criterion, submission_id, other_submission_id;
