-- output_token: one row per analysed word of an output.
CREATE TABLE output_token (
    submission_id  VARCHAR NOT NULL,  -- the submission
    sentence_no    INTEGER NOT NULL,  -- the sentence
    token_no       INTEGER NOT NULL,  -- position in the output, from 1
    position       INTEGER,           -- position among the words that are not punctuation; NULL for punctuation
    form           VARCHAR NOT NULL,  -- word form
    lemma          VARCHAR,           -- lemma
    upos           VARCHAR,           -- universal part of speech, where the analysis gives one
    xpos           VARCHAR,           -- language-specific part of speech, where the analysis gives one
    feats          VARCHAR,           -- morphological features, where the analysis gives them
    head           INTEGER,           -- token_no of the head, 0 for the root, where the analysis parses
    deprel         VARCHAR            -- dependency relation, where the analysis parses
);
