-- edge_match: one row per reference edge and submission: whether the output realises it.
CREATE TABLE edge_match (
    signature_id   VARCHAR NOT NULL,  -- how it was computed
    submission_id  VARCHAR NOT NULL,  -- the submission
    sentence_no    INTEGER NOT NULL,  -- the sentence
    token_no       INTEGER NOT NULL,  -- the dependent of the edge in the reference
    deprel         VARCHAR,           -- universal relation, subtype dropped
    found          INTEGER NOT NULL   -- 1 where the output has the edge, else 0
);
