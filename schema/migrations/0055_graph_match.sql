-- graph_match: one row per output and aspect of meaning: triples its graph shares with the gold graph.
CREATE TABLE graph_match (
    signature_id    VARCHAR NOT NULL,  -- how it was computed
    submission_id   VARCHAR NOT NULL,  -- the submission
    sentence_no     INTEGER NOT NULL,  -- the sentence
    aspect          VARCHAR NOT NULL,  -- all, or what of the meaning is compared, such as negation
    matched         DOUBLE  NOT NULL,  -- triples matched; a similar concept counts in part
    output_triples  INTEGER NOT NULL,  -- triples of the output's graph
    gold_triples    INTEGER NOT NULL,  -- triples of the gold graph
    status          VARCHAR NOT NULL,  -- optimal, or how far the alignment is proved: time limit, hill climbing
    gap             DOUBLE             -- triples that a better alignment might match besides; NULL where unknown
);
