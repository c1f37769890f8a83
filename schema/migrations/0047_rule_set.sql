-- rule_set: one row per version of a set of grammar rules.
CREATE TABLE rule_set (
    rule_set_id         VARCHAR     NOT NULL PRIMARY KEY,  -- its name, with @version after the first
    name                VARCHAR     NOT NULL,              -- what its versions share
    version             INTEGER     NOT NULL,              -- 1, then increasing with every edited set
    parent_rule_set_id  VARCHAR,                           -- the version this one was edited from
    language            VARCHAR,                           -- language code
    scheme              VARCHAR     NOT NULL,              -- annotation scheme of its relations: ud or sud
    treebank_id         VARCHAR,                           -- the treebank it was extracted from; NULL where it was imported
    parameters          JSON        NOT NULL,              -- thresholds of the extraction
    source              VARCHAR     NOT NULL,              -- name of the file it was read from, or the treebank
    sha256              VARCHAR     NOT NULL,              -- hash of its rules
    rules               INTEGER     NOT NULL,              -- number of rules
    tool                VARCHAR     NOT NULL,              -- version of sr-tracker
    created_at          TIMESTAMPTZ NOT NULL               -- when it was extracted or imported
);
