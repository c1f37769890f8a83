-- token: one row per syntactic word of a reference sentence.
CREATE TABLE token (
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    sentence_no  INTEGER NOT NULL,  -- the sentence
    token_no     INTEGER NOT NULL,  -- ID: position in the sentence, from 1
    form         VARCHAR,           -- FORM; NULL where the text is hidden
    lemma        VARCHAR,           -- LEMMA; NULL where unspecified
    upos         VARCHAR,           -- UPOS: universal part of speech
    xpos         VARCHAR,           -- XPOS: language-specific part of speech
    feats        VARCHAR,           -- FEATS: morphological features, Name=Value joined with |
    head         INTEGER,           -- HEAD: token_no of the head, 0 for the root
    deprel       VARCHAR,           -- DEPREL: dependency relation with its subtype
    deps         VARCHAR,           -- DEPS: enhanced dependencies
    misc         VARCHAR,           -- MISC
    space_after  BOOLEAN NOT NULL   -- false where MISC says SpaceAfter=No
);
