-- report_trees: one row per node of a suspicion tree.
SELECT *
FROM suspicion_trees
WHERE list_contains($submissions, submission_id) AND list_contains($signatures, signature)
ORDER BY labels, submission_id, node_no;
