-- gold_graph: one row per reference sentence of a treebank of meaning graphs.
CREATE TABLE gold_graph (
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    sentence_no  INTEGER NOT NULL,  -- the sentence
    penman       VARCHAR NOT NULL,  -- the graph in PENMAN notation, as it stands in the file
    variables    INTEGER NOT NULL,  -- its nodes
    triples      INTEGER NOT NULL,  -- its different triples, the top not counted
    flag         VARCHAR            -- what is unusual about it, such as not connected; NULL where nothing is
);
