-- sentence_score: one row per output and metric.
CREATE TABLE sentence_score (
    signature_id      VARCHAR NOT NULL,  -- how it was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    sentence_no       INTEGER NOT NULL,  -- the sentence
    metric            VARCHAR NOT NULL,  -- name of the metric
    score             DOUBLE,            -- the score; 0 for a missing output, NULL where undefined
    undefined_reason  VARCHAR            -- why the score is NULL
);
