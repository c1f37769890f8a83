CREATE TABLE trial (
    submission_id        VARCHAR NOT NULL,
    trial_no             INTEGER NOT NULL,
    trial_submission_id  VARCHAR NOT NULL,
    label                VARCHAR,
    sha256               VARCHAR NOT NULL
);

ALTER TABLE change ADD COLUMN trials INTEGER;
ALTER TABLE change ADD COLUMN base_trials INTEGER;
ALTER TABLE change ADD COLUMN trial_sd DOUBLE;
ALTER TABLE change ADD COLUMN base_trial_sd DOUBLE;
ALTER TABLE change ADD COLUMN sentence_p_value DOUBLE;
