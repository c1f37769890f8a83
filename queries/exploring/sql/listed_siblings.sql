-- listed_siblings: one row per other submission to the same treebank: what a submission may be compared with, its own system's first, newest first.
-- $rows: so many of its own system, and so many of others.
SELECT other.submission_id, other.system_id, other.iteration
FROM submission AS ours
JOIN submission AS other USING (treebank_id)
WHERE ours.submission_id = $submission AND other.submission_id <> ours.submission_id
QUALIFY row_number() OVER (
    PARTITION BY other.system_id = ours.system_id
    ORDER BY other.iteration > ours.iteration, other.iteration DESC, other.submission_id
) <= $rows
ORDER BY
    other.system_id <> ours.system_id,
    other.iteration > ours.iteration, other.iteration DESC,
    other.submission_id;
