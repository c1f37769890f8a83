-- subtree_enumeration: one row per treebank and kind of label: how far its subtrees are enumerated.
CREATE TABLE subtree_enumeration (
    treebank_id      VARCHAR     NOT NULL,  -- the treebank
    labels           VARCHAR     NOT NULL,  -- what nodes are labelled with, such as deprel or upos~deprel
    max_nodes        INTEGER     NOT NULL,  -- subtrees have at most so many nodes
    minimum_support  INTEGER     NOT NULL,  -- and are in at least so many sentences
    version          VARCHAR     NOT NULL,  -- version of the enumeration
    data_sha256      VARCHAR     NOT NULL,  -- hash of the treebank
    tool             VARCHAR     NOT NULL,  -- version of sr-tracker
    enumerated_at    TIMESTAMPTZ NOT NULL   -- when
);
