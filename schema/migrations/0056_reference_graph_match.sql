-- reference_graph_match: one row per reference sentence and aspect: triples its parsed graph shares with the gold graph.
CREATE TABLE reference_graph_match (
    signature_id     VARCHAR NOT NULL,  -- how it was computed
    treebank_id      VARCHAR NOT NULL,  -- the treebank
    sentence_no      INTEGER NOT NULL,  -- the sentence
    aspect           VARCHAR NOT NULL,  -- all, or what of the meaning is compared, such as negation
    matched          DOUBLE  NOT NULL,  -- triples matched; a similar concept counts in part
    parsed_triples   INTEGER NOT NULL,  -- triples of the parsed graph
    gold_triples     INTEGER NOT NULL,  -- triples of the gold graph
    status           VARCHAR NOT NULL,  -- optimal, or how far the alignment is proved: time limit, hill climbing
    gap              DOUBLE             -- triples that a better alignment might match besides; NULL where unknown
);
