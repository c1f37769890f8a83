-- rule_check: one row per output and grammar rule that has a link to apply to.
CREATE TABLE rule_check (
    signature_id   VARCHAR NOT NULL,  -- how it was checked
    submission_id  VARCHAR NOT NULL,  -- the submission
    sentence_no    INTEGER NOT NULL,  -- the sentence
    rule           VARCHAR NOT NULL,  -- the rule
    links          INTEGER NOT NULL,  -- links with the rule's relation and parts of speech
    bearing        INTEGER NOT NULL,  -- those of them whose words bear the feature
    violated       INTEGER NOT NULL   -- those of them that break the rule
);
