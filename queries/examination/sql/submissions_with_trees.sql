-- submissions_with_trees: one row per submission among $submissions: whether its outputs have trees, and edges of references that were looked for.
-- Others need not be looked through.
SELECT
    submission_id,
    submission_id IN (SELECT submission_id FROM output_words WHERE deprels IS NOT NULL) AS parsed,
    submission_id IN (SELECT submission_id FROM edge_outcome) AS with_edges
FROM submission
WHERE list_contains($submissions, submission_id)
ORDER BY submission_id;
