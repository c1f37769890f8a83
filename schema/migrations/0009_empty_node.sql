-- empty_node: one row per empty node of the enhanced graph (ID with a decimal point).
CREATE TABLE empty_node (
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    sentence_no  INTEGER NOT NULL,  -- the sentence
    after_token  INTEGER NOT NULL,  -- token_no it follows, 0 at the start of the sentence
    node_no      INTEGER NOT NULL,  -- number after the decimal point
    form         VARCHAR,           -- FORM
    lemma        VARCHAR,           -- LEMMA
    upos         VARCHAR,           -- UPOS
    xpos         VARCHAR,           -- XPOS
    feats        VARCHAR,           -- FEATS
    deps         VARCHAR,           -- DEPS
    misc         VARCHAR            -- MISC
);
