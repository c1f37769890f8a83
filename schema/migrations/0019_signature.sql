-- signature: one row per way of computing a metric; scores are comparable only where it is the same.
CREATE TABLE signature (
    signature_id  VARCHAR NOT NULL PRIMARY KEY,  -- short hash of the signature text
    metric        VARCHAR NOT NULL,              -- name of the metric
    signature     VARCHAR NOT NULL,              -- the whole signature as text
    parameters    JSON    NOT NULL,              -- parameters of the metric
    text_level    VARCHAR NOT NULL,              -- what is compared: lemmas, text, tokens or edges
    tokeniser     VARCHAR NOT NULL,              -- what cut the output into words
    versions      JSON    NOT NULL,              -- versions of the metric and of the libraries it rests on
    treebank_id   VARCHAR NOT NULL,              -- the references
    data_sha256   VARCHAR NOT NULL               -- hash of the references
);
