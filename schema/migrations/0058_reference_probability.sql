-- reference_probability: one row per reference sentence and language model: how probable its words are.
CREATE TABLE reference_probability (
    treebank_id       VARCHAR NOT NULL,  -- the treebank
    model             VARCHAR NOT NULL,  -- the language model, with the hash of its files
    sentence_no       INTEGER NOT NULL,  -- the sentence
    tokens            INTEGER NOT NULL,  -- tokens of the model
    probability       DOUBLE,            -- mean probability of a token in its context, 0 to 1
    undefined_reason  VARCHAR            -- why there is none
);
