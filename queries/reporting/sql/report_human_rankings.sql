-- report_human_rankings: one row per submission and criterion, best first, by the annotators whose judgements count.
SELECT human_rankings.*
FROM human_rankings
JOIN standardisation USING (campaign_id, criterion, annotators)
WHERE list_contains($submissions, submission_id)
ORDER BY campaign_id, treebank_id, criterion, z_mean DESC NULLS LAST, submission_id;
