-- trial: one row per trial of a submission that has several: a seed, or a sample of its outputs.
-- grain: submission_id, trial_no
CREATE TABLE trial (
    submission_id        VARCHAR NOT NULL,  -- the submission
    trial_no             INTEGER NOT NULL,  -- number of the trial, from 1
    trial_submission_id  VARCHAR NOT NULL,  -- what its outputs and scores are stored under: the submission itself for the first trial, else its id with #2, #3, …
    label                VARCHAR,           -- what tells it from others, such as its file or its seed
    sha256               VARCHAR NOT NULL   -- hash of its outputs and of what decides how they are read
);

COMMENT ON COLUMN output.submission_id IS 'the submission, or the trial';
COMMENT ON TABLE output IS 'one row per reference sentence and submission, or further trial of one: the generated text.';

ALTER TABLE change ADD COLUMN trials INTEGER;
ALTER TABLE change ADD COLUMN base_trials INTEGER;
ALTER TABLE change ADD COLUMN trial_sd DOUBLE;
ALTER TABLE change ADD COLUMN base_trial_sd DOUBLE;
ALTER TABLE change ADD COLUMN sentence_p_value DOUBLE;
COMMENT ON COLUMN change.trials IS 'trials whose mean the submission''s value is; NULL where neither of the two has several';
COMMENT ON COLUMN change.base_trials IS 'the same of the base';
COMMENT ON COLUMN change.trial_sd IS 'standard deviation of the submission''s trials; NULL of a single one';
COMMENT ON COLUMN change.base_trial_sd IS 'the same of the base';
COMMENT ON COLUMN change.sentence_p_value IS 'p-value if no trial differed from others: of sentences alone; NULL as trials';
