-- start_scores: Which systems are best on a treebank?
SELECT treebank_id, system_id, bleu, dea, adequacy_z, fluency_z
FROM leaderboard
QUALIFY is_newest(leaderboard)
ORDER BY treebank_id, dea DESC;
