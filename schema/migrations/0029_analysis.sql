-- analysis: one row per statistical analysis of a submission that is complete.
CREATE TABLE analysis (
    signature_id   VARCHAR     NOT NULL,  -- short hash of the signature
    submission_id  VARCHAR     NOT NULL,  -- the submission
    analysis       VARCHAR     NOT NULL,  -- correlation, projectivity, entropy, error_mining or significance
    settings       VARCHAR     NOT NULL,  -- what tells analyses of one kind apart, such as labels:deprel
    signature      VARCHAR     NOT NULL,  -- what makes it comparable: settings, versions, signatures of the scores
    data_sha256    VARCHAR     NOT NULL,  -- hash of the scores it was computed from
    tool           VARCHAR     NOT NULL,  -- version of sr-tracker
    analysed_at    TIMESTAMPTZ NOT NULL,  -- when
    PRIMARY KEY (signature_id, submission_id)
);
