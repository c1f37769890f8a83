-- reference_graph: one row per reference sentence and parser: the graph a parser makes of the sentence.
CREATE TABLE reference_graph (
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    parser       VARCHAR NOT NULL,  -- what made the graph, with version
    sentence_no  INTEGER NOT NULL,  -- the sentence
    penman       VARCHAR,           -- the graph in PENMAN notation; NULL where the parser gave none
    variables    INTEGER NOT NULL,  -- its nodes
    triples      INTEGER NOT NULL,  -- its different triples, the top not counted
    quality      DOUBLE,            -- estimated quality of the parse, 0 to 1, where one is given
    flag         VARCHAR            -- what is unusual about it; NULL where nothing is
);
