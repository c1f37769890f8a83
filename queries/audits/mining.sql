-- mining: one row per result of error mining that cannot be, such as more failed sentences than there are.
WITH node AS (
    SELECT
        suspicion_node.*,
        stop_reason IS NULL AS is_split,
        parent.depth AS parent_depth
    FROM suspicion_node
    LEFT JOIN (SELECT signature_id, submission_id, node_no, depth FROM suspicion_node) AS parent
        ON parent.signature_id = suspicion_node.signature_id
        AND parent.submission_id = suspicion_node.submission_id
        AND parent.node_no = parent_node_no
),
below AS (
    SELECT
        signature_id, submission_id, parent_node_no AS node_no,
        count(*) AS nodes, sum(sentences) AS sentences, sum(failed) AS failed,
        count_if(has_pattern) AS with_pattern
    FROM suspicion_node
    WHERE parent_node_no IS NOT NULL
    GROUP BY ALL
)
SELECT
    'analysis without its mining' AS fault,  -- what is wrong
    signature_id,                            -- how it was computed
    submission_id,                           -- the submission
    NULL AS pattern                          -- the pattern
FROM (FROM analysis WHERE analysis = 'error_mining')
ANTI JOIN error_mining USING (signature_id, submission_id)
UNION ALL
SELECT 'mining that counts wrong', signature_id, submission_id, NULL
FROM error_mining
WHERE failed NOT BETWEEN 0 AND sentences
    OR (failed IN (0, sentences)) <> (undefined_reason IS NOT NULL)
UNION ALL
SELECT 'pattern of no defined mining', signature_id, submission_id, pattern
FROM suspicion
ANTI JOIN (FROM error_mining WHERE undefined_reason IS NULL) USING (signature_id, submission_id)
UNION ALL
SELECT 'pattern that counts wrong', signature_id, submission_id, pattern
FROM suspicion
JOIN error_mining AS mining USING (signature_id, submission_id)
WHERE suspicion.sentences NOT BETWEEN mining.minimum_support AND mining.sentences
    OR suspicion.nodes NOT BETWEEN 1 AND mining.max_nodes
    OR suspicion.failed NOT BETWEEN suspicion.sentences - mining.sentences + mining.failed
        AND least(suspicion.sentences, mining.failed)
UNION ALL
SELECT 'p-value out of range', signature_id, submission_id, pattern
FROM suspicion
WHERE NOT coalesce(p_value >= 0 AND p_holm BETWEEN p_value AND 1, false)
UNION ALL
SELECT 'no suspicion tree', signature_id, submission_id, NULL
FROM (FROM error_mining WHERE undefined_reason IS NULL)
ANTI JOIN (FROM suspicion_node WHERE depth = 0 AND parent_node_no IS NULL)
    USING (signature_id, submission_id, sentences, failed)
UNION ALL
SELECT 'node of no defined mining', signature_id, submission_id, pattern
FROM suspicion_node
ANTI JOIN (FROM error_mining WHERE undefined_reason IS NULL) USING (signature_id, submission_id)
UNION ALL
SELECT 'node out of place', signature_id, submission_id, pattern
FROM node
WHERE NOT coalesce(depth = parent_depth + 1 AND parent_node_no < node_no, node_no = 1 AND depth = 0)
    OR (node_no = 1) <> (has_pattern IS NULL)
    OR is_split <> (pattern IS NOT NULL)
    OR is_split <> (suspicion IS NOT NULL)
UNION ALL
SELECT 'node that is not split in two', signature_id, submission_id, pattern
FROM node
LEFT JOIN below USING (signature_id, submission_id, node_no)
WHERE CASE
    WHEN is_split THEN NOT coalesce(
        nodes = 2 AND with_pattern = 1 AND below.sentences = node.sentences
        AND below.failed = node.failed,
        false
    )
    ELSE nodes IS NOT NULL
END;
