ALTER TABLE comparison ADD COLUMN labels_verdict VARCHAR;
DELETE FROM scoring WHERE metric = 'treebank_analysis';

CREATE TABLE sentence_label (
    treebank_id  VARCHAR NOT NULL,
    sentence_no  INTEGER NOT NULL,
    label        VARCHAR NOT NULL,
    value        VARCHAR NOT NULL,
    origin       VARCHAR NOT NULL
);

CREATE TABLE slice_score (
    signature_id      VARCHAR NOT NULL,
    submission_id     VARCHAR NOT NULL,
    metric            VARCHAR NOT NULL,
    label             VARCHAR NOT NULL,
    value             VARCHAR NOT NULL,
    score             DOUBLE,
    sentences         INTEGER NOT NULL,
    undefined_reason  VARCHAR
);
