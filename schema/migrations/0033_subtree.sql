-- subtree: one row per treebank, kind of label and subtree pattern: the sentences that contain it.
CREATE TABLE subtree (
    treebank_id   VARCHAR   NOT NULL,  -- the treebank
    labels        VARCHAR   NOT NULL,  -- what nodes are labelled with, such as deprel or upos~deprel
    pattern       VARCHAR   NOT NULL,  -- the pattern, such as (conj (advmod advmod)); siblings are in no order
    nodes         INTEGER   NOT NULL,  -- number of nodes
    sentence_nos  INTEGER[] NOT NULL   -- the sentences that contain it, in order
);
