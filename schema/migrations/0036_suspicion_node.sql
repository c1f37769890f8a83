-- suspicion_node: one row per node of a suspicion tree: sentences split on the most suspicious pattern.
CREATE TABLE suspicion_node (
    signature_id    VARCHAR NOT NULL,  -- how it was computed
    submission_id   VARCHAR NOT NULL,  -- the submission
    node_no         INTEGER NOT NULL,  -- number of the node in depth-first order, 1 for the root
    parent_node_no  INTEGER,           -- the node above; NULL for the root
    has_pattern     BOOLEAN,           -- whether these sentences contain the pattern of the node above; NULL for the root
    depth           INTEGER NOT NULL,  -- distance from the root
    sentences       INTEGER NOT NULL,  -- sentences of the node
    failed          INTEGER NOT NULL,  -- those of them that failed
    pattern         VARCHAR,           -- the most suspicious pattern, on which they are split; NULL for a leaf
    suspicion       DOUBLE,            -- its suspicion among these sentences; NULL for a leaf
    stop_reason     VARCHAR            -- why a leaf is not split: no failure, no pattern or depth
);
