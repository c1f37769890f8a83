-- human_score: one row per output and criterion: the aggregate of its judgements.
CREATE TABLE human_score (
    submission_id  VARCHAR NOT NULL,  -- the submission
    sentence_no    INTEGER NOT NULL,  -- the sentence
    criterion      VARCHAR NOT NULL,  -- adequacy (meaning similarity), fluency (readability) or any other name
    z_score        DOUBLE,            -- mean z-score; NULL where the file gives none
    raw_mean       DOUBLE,            -- mean raw rating, 0 to 100; NULL where the file gives none
    judgements     INTEGER,           -- number of judgements behind it; NULL where the file does not say
    source         VARCHAR NOT NULL   -- name of the file it was read from
);
