-- output: one row per reference sentence and submission: the generated text.
CREATE TABLE output (
    submission_id  VARCHAR NOT NULL,  -- the submission
    sentence_no    INTEGER NOT NULL,  -- the sentence of the submission's treebank
    text           VARCHAR            -- generated text; NULL where the system gave none
);
