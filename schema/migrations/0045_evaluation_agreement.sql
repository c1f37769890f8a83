-- evaluation_agreement: one row per two ways of evaluating the same systems of a treebank by people.
CREATE TABLE evaluation_agreement (
    campaign_id        VARCHAR NOT NULL,  -- one campaign, such as the crowd's
    criterion          VARCHAR NOT NULL,  -- its criterion
    other_campaign_id  VARCHAR NOT NULL,  -- the other campaign, such as the experts', or the same
    other_criterion    VARCHAR NOT NULL,  -- its criterion
    treebank_id        VARCHAR NOT NULL,  -- the treebank
    method             VARCHAR NOT NULL,  -- pearson, spearman or kendall
    n                  INTEGER NOT NULL,  -- systems both evaluated
    coefficient        DOUBLE,            -- correlation of their mean z-scores
    p_value            DOUBLE,            -- two-sided
    undefined_reason   VARCHAR            -- why it is NULL
);
