-- scoring: one row per computation that is complete: one metric for one submission, or one analysis of one treebank.
CREATE TABLE scoring (
    target        VARCHAR     NOT NULL,  -- submission_id, or treebank_id for an analysis of a treebank
    metric        VARCHAR     NOT NULL,  -- name of the metric or analysis
    signature_id  VARCHAR     NOT NULL,  -- how it was computed
    data_sha256   VARCHAR     NOT NULL,  -- hash of the data it was computed from
    tool          VARCHAR     NOT NULL,  -- version of sr-tracker
    scored_at     TIMESTAMPTZ NOT NULL,  -- when
    PRIMARY KEY (target, signature_id)
);
