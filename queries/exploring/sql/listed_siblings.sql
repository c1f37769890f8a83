-- listed_siblings: one row per other submission to the same treebank: what a submission may be compared with, its own system's first, newest first.
SELECT other.submission_id, other.system_id, other.iteration, other.bleu
FROM leaderboard AS ours
JOIN leaderboard AS other ON other.treebank_id = ours.treebank_id
    AND other.submission_id <> ours.submission_id
WHERE ours.submission_id = $submission
ORDER BY
    other.system_id <> ours.system_id,
    other.iteration > ours.iteration, other.iteration DESC,
    other.submission_id;
