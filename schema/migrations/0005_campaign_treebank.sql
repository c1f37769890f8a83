-- campaign_treebank: one row per treebank that a campaign evaluates on.
CREATE TABLE campaign_treebank (
    campaign_id  VARCHAR NOT NULL,  -- the campaign
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    PRIMARY KEY (campaign_id, treebank_id)
);
