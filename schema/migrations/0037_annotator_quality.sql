-- annotator_quality: one row per campaign, annotator and criterion: how carefully was judged.
CREATE TABLE annotator_quality (
    campaign_id           VARCHAR NOT NULL,  -- the campaign
    annotator_id          VARCHAR NOT NULL,  -- who judged
    criterion             VARCHAR NOT NULL,  -- what was judged
    judgements            INTEGER NOT NULL,  -- judgements of any kind
    raw_mean              DOUBLE  NOT NULL,  -- mean of all raw scores, 0 to 100
    sample_deviation      DOUBLE,            -- their sample standard deviation; NULL for one judgement
    population_deviation  DOUBLE  NOT NULL,  -- their population standard deviation
    degraded_pairs        INTEGER NOT NULL,  -- degraded copies whose original was judged too
    degraded_difference   DOUBLE,            -- mean of original minus degraded copy
    degraded_p_value      DOUBLE,            -- one-sided: are degraded copies rated lower?
    repeat_pairs          INTEGER NOT NULL,  -- exact repeats whose original was judged too
    repeat_difference     DOUBLE,            -- mean absolute difference between them
    repeat_correlation    DOUBLE,            -- Pearson's r between them
    references_judged     INTEGER NOT NULL,  -- references put in as outputs
    reference_mean        DOUBLE,            -- their mean raw score
    passed                BOOLEAN,           -- whether the annotator passes; NULL where it cannot be told
    reason                VARCHAR            -- why not, or why it cannot be told
);
