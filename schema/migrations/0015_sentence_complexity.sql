-- sentence_complexity: one row per reference sentence and convention: its syntactic complexity, punctuation stripped.
CREATE TABLE sentence_complexity (
    treebank_id       VARCHAR NOT NULL,  -- the treebank
    sentence_no       INTEGER NOT NULL,  -- the sentence
    convention        VARCHAR NOT NULL,  -- standard or tacl2021
    depth             INTEGER,           -- edges from the root to the deepest word
    length            INTEGER,           -- number of words
    mdd               DOUBLE,            -- mean dependency distance, in words
    mfs               DOUBLE,            -- mean flux size, edges per inter-word position
    mfw               DOUBLE,            -- mean flux weight, disjoint edges per inter-word position
    arity             DOUBLE,            -- mean number of dependents of a word
    projective        BOOLEAN,           -- whether the tree is projective
    undefined_reason  VARCHAR            -- why a value is NULL
);
