-- report_iterated: one row per campaign, system, treebank and track with several of these submissions.
SELECT campaign_id, system_id, treebank_id, track, count(*) AS iterations
FROM submission
WHERE list_contains($submissions, submission_id)
GROUP BY campaign_id, system_id, treebank_id, track
HAVING count(*) > 1
ORDER BY campaign_id, treebank_id, system_id, track;
