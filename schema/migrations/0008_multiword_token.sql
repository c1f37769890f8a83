-- multiword_token: one row per surface token that spans several syntactic words.
CREATE TABLE multiword_token (
    treebank_id     VARCHAR NOT NULL,  -- the treebank
    sentence_no     INTEGER NOT NULL,  -- the sentence
    first_token_no  INTEGER NOT NULL,  -- first word of the range
    last_token_no   INTEGER NOT NULL,  -- last word of the range
    form            VARCHAR,           -- surface form; NULL where the text is hidden
    feats           VARCHAR,           -- FEATS of the range line (Typo=Yes and the like)
    misc            VARCHAR,           -- MISC of the range line
    space_after     BOOLEAN NOT NULL   -- false where MISC says SpaceAfter=No
);
