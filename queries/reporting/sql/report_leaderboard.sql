-- report_leaderboard: one row per submission, best BLEU first within campaign and treebank.
SELECT *
FROM leaderboard
WHERE list_contains($submissions, submission_id)
ORDER BY campaign_id, treebank_id, bleu DESC NULLS LAST, submission_id;
