-- listed_siblings: one row per other submission to the same treebank: what a submission may be compared with, its own system's first, newest first.
SELECT other.submission_id, other.system_id, other.iteration
FROM submission AS ours
JOIN submission AS other USING (treebank_id)
WHERE ours.submission_id = $submission AND other.submission_id <> ours.submission_id
ORDER BY
    other.system_id <> ours.system_id,
    other.iteration > ours.iteration, other.iteration DESC,
    other.submission_id;
