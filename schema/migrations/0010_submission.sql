-- submission: one row per model run: one system's output for one treebank in one campaign.
CREATE TABLE submission (
    submission_id         VARCHAR     NOT NULL PRIMARY KEY,  -- campaign/system/treebank, with @iteration after the first
    campaign_id           VARCHAR     NOT NULL,              -- the campaign
    system_id             VARCHAR     NOT NULL,              -- the system
    treebank_id           VARCHAR     NOT NULL,              -- the treebank it was generated for
    track                 VARCHAR     NOT NULL,              -- shallow, deep or any other name
    iteration             INTEGER     NOT NULL,              -- 1 for a system's first run, then increasing
    parent_submission_id  VARCHAR,                           -- the run this one was developed from
    created_at            TIMESTAMPTZ NOT NULL,              -- when the model run was made: given, or when it was first loaded
    reference_form        VARCHAR     NOT NULL,              -- what surface metrics compare with: text (raw) or tokens (forms joined with blanks)
    analysis              VARCHAR     NOT NULL,              -- what turned text into output tokens, with version
    params                JSON        NOT NULL,              -- parameters of the model run
    tags                  JSON        NOT NULL,              -- free labels
    source                VARCHAR     NOT NULL,              -- name of the file it was read from
    sha256                VARCHAR     NOT NULL               -- hash of the outputs and of what decides how they are read
);
