-- judgement: one row per raw rating by one annotator of one output on one criterion.
CREATE TABLE judgement (
    campaign_id    VARCHAR NOT NULL,  -- the campaign
    judgement_no   INTEGER NOT NULL,  -- number within the campaign, from 1
    annotator_id   VARCHAR NOT NULL,  -- who judged
    hit_id         VARCHAR,           -- batch of items judged in one go
    item_id        VARCHAR,           -- item within the batch
    submission_id  VARCHAR,           -- the submission; NULL for a reference put in as an output
    treebank_id    VARCHAR NOT NULL,  -- the treebank
    sentence_no    INTEGER NOT NULL,  -- the sentence
    criterion      VARCHAR NOT NULL,  -- adequacy, fluency or any other name
    kind           VARCHAR NOT NULL,  -- ordinary, repeat, degraded or reference
    raw_score      DOUBLE  NOT NULL,  -- rating from 0 to 100
    judged_at      TIMESTAMPTZ        -- when, if known
);
