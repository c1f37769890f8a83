-- suspicion_trees: one row per node of a suspicion tree: sentences, and the pattern they are split on.
-- grain: submission_id, settings, node_no
-- reads: current_analysis, submission_identity
-- group: ask why
-- Narayan and Gardent 2012. Nodes are numbered depth first; those with the pattern come before those without.
CREATE OR REPLACE VIEW suspicion_trees AS
SELECT
    identity.* EXCLUDE (params, tags),
    labels,             -- what nodes are labelled with
    metric,             -- the metric that tells failed from passed
    node_no,            -- number of the node, 1 for the root
    parent_node_no,     -- the node above; NULL for the root
    has_pattern,        -- whether these sentences contain the pattern of the node above; NULL for the root
    depth,              -- distance from the root
    node.sentences,     -- sentences of the node
    node.failed,        -- those of them that failed
    node.pattern,       -- the most suspicious pattern, on which they are split; NULL for a leaf
    node.suspicion,     -- its suspicion score among these sentences; NULL for a leaf
    stop_reason,        -- why a leaf is not split: no failure, no pattern or depth
    signature,          -- how it was computed
    analysis.settings,  -- the same without scores and versions
    identity.params,
    identity.tags
FROM suspicion_node AS node
JOIN error_mining USING (submission_id, signature_id)
SEMI JOIN current_analysis USING (submission_id, signature_id)
JOIN analysis USING (submission_id, signature_id)
JOIN submission_identity AS identity USING (submission_id);
