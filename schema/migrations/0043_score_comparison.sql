-- score_comparison: one row per pair of submissions and metric: is the difference more than chance?
CREATE TABLE score_comparison (
    signature_id         VARCHAR NOT NULL,  -- how both scores were computed
    submission_id        VARCHAR NOT NULL,  -- the submission
    other_submission_id  VARCHAR NOT NULL,  -- the one it is compared with, later by name
    metric               VARCHAR NOT NULL,  -- name of the metric
    replicates           INTEGER NOT NULL,  -- number of resampled or shuffled test sets
    seed                 INTEGER NOT NULL,  -- seed of both
    level                DOUBLE  NOT NULL,  -- share of the replicates within the interval, such as 0.95
    sentences            INTEGER NOT NULL,  -- sentences of both
    difference           DOUBLE,            -- score minus that of the other one
    low                  DOUBLE,            -- lower end of its bootstrap interval
    high                 DOUBLE,            -- upper end
    p_bootstrap          DOUBLE,            -- paired bootstrap, by sacreBLEU's definition: about one-sided where the difference is clear
    p_randomisation      DOUBLE,            -- two-sided, paired approximate randomisation
    undefined_reason     VARCHAR            -- why there is none
);
