-- reference_edge: one row per dependency edge of a reference tree after punctuation is stripped (the root has none).
CREATE TABLE reference_edge (
    treebank_id    VARCHAR NOT NULL,  -- the treebank
    sentence_no    INTEGER NOT NULL,  -- the sentence
    token_no       INTEGER NOT NULL,  -- the dependent
    head_token_no  INTEGER NOT NULL,  -- the head; the nearest kept ancestor where the head was punctuation
    deprel         VARCHAR,           -- universal relation, subtype dropped
    lemma          VARCHAR,           -- the dependent's lemma, lowercased; its form where it has no lemma
    head_lemma     VARCHAR,           -- the head's lemma, lowercased; its form where it has no lemma
    upos           VARCHAR,           -- the dependent's part of speech
    head_upos      VARCHAR,           -- the head's part of speech
    distance       INTEGER NOT NULL   -- position of the dependent minus position of the head, punctuation not counted
);
