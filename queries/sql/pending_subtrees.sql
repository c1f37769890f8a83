-- pending_subtrees: one row per treebank whose subtrees are not enumerated as far as asked: how far they shall be.
SELECT
    treebank_id,
    greatest($max_nodes, max_nodes) AS max_nodes,
    least($minimum_support, minimum_support) AS minimum_support,
    treebank.sha256 AS data_sha256
FROM treebank
LEFT JOIN (FROM subtree_enumeration WHERE labels = $labels) AS done USING (treebank_id)
WHERE list_contains($treebank_ids, treebank_id)
    AND NOT coalesce(
        done.max_nodes >= $max_nodes
        AND done.minimum_support <= $minimum_support
        AND done.version = $version
        AND done.data_sha256 = treebank.sha256,
        false
    )
ORDER BY treebank_id;
