-- reference_probability: one row per reference sentence, kind of its text and language model: how probable its words are.
CREATE TABLE reference_probability (
    treebank_id       VARCHAR NOT NULL,  -- the treebank
    reference_form    VARCHAR NOT NULL,  -- which text of the sentence: text, or its tokens with blanks between
    model             VARCHAR NOT NULL,  -- the language model, with versions and the hash of its files
    sentence_no       INTEGER NOT NULL,  -- the sentence
    tokens            INTEGER,           -- tokens of the model; NULL where they are not known
    probability       DOUBLE,            -- mean probability of a token in its context, 0 to 1
    undefined_reason  VARCHAR            -- why there is none
);
