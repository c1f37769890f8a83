-- score_interval: one row per submission and metric: a bootstrap confidence interval of its score.
CREATE TABLE score_interval (
    signature_id      VARCHAR NOT NULL,  -- how the score was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    metric            VARCHAR NOT NULL,  -- name of the metric
    replicates        INTEGER NOT NULL,  -- number of resampled test sets
    seed              INTEGER NOT NULL,  -- seed of the resampling
    level             DOUBLE  NOT NULL,  -- share of the replicates within, such as 0.95
    sentences         INTEGER NOT NULL,  -- sentences that were resampled
    score             DOUBLE,            -- the score itself
    low               DOUBLE,            -- lower end of the interval
    high              DOUBLE,            -- upper end
    undefined_reason  VARCHAR            -- why there is none
);
