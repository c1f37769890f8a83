-- sentence: one row per reference sentence of a treebank.
CREATE TABLE sentence (
    treebank_id  VARCHAR   NOT NULL,  -- the treebank
    sentence_no  INTEGER   NOT NULL,  -- position in the treebank, from 1
    sent_id      VARCHAR,             -- the sent_id comment; NULL where there is none
    text         VARCHAR,             -- the text comment, or the forms joined as SpaceAfter says; NULL where hidden
    text_given   BOOLEAN   NOT NULL,  -- true where the text stands in the file, false where it was joined
    forms_text   VARCHAR,             -- the word forms joined with single blanks; NULL where hidden
    newdoc       VARCHAR,             -- id of the document that starts here; empty text where it has no id
    comments     VARCHAR[] NOT NULL,  -- all comment lines as they stand in the file
    line_no      INTEGER   NOT NULL   -- line of the file on which the sentence starts
);
