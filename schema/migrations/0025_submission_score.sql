-- submission_score: one row per submission and metric: the score of the whole submission.
CREATE TABLE submission_score (
    signature_id      VARCHAR NOT NULL,  -- how it was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    metric            VARCHAR NOT NULL,  -- name of the metric
    score             DOUBLE,            -- corpus-level score; NULL where undefined
    sentences         INTEGER NOT NULL,  -- sentences it is computed over
    undefined_reason  VARCHAR            -- why the score is NULL
);
