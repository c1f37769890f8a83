-- suspicion_tree: one row per node of a submission's suspicion trees, the newest tree first.
SELECT
    node_no, parent_node_no, has_pattern, depth, suspicion_trees.sentences,
    suspicion_trees.failed, pattern, suspicion, stop_reason, suspicion_trees.labels,
    suspicion_trees.metric, error_mining.threshold, signature
FROM suspicion_trees
JOIN analysis USING (submission_id, signature)
JOIN error_mining USING (submission_id, signature_id)
WHERE submission_id = $submission_id
    AND suspicion_trees.labels = $labels
    AND suspicion_trees.metric = $metric
ORDER BY analysis.revision DESC, signature, node_no;
