-- metric_agreement: one row per campaign, treebank, metric, criterion and way of correlating: metrics against people.
CREATE TABLE metric_agreement (
    campaign_id       VARCHAR   NOT NULL,  -- the campaign
    treebank_id       VARCHAR   NOT NULL,  -- the treebank
    metric            VARCHAR   NOT NULL,  -- name of the metric
    criterion         VARCHAR   NOT NULL,  -- what people judged
    level             VARCHAR   NOT NULL,  -- what is correlated: system or segment
    method            VARCHAR   NOT NULL,  -- pearson, spearman or kendall
    outliers          VARCHAR   NOT NULL,  -- with or without outlier systems
    n                 INTEGER   NOT NULL,  -- systems, or outputs
    coefficient       DOUBLE,              -- the correlation; NULL where undefined
    p_value           DOUBLE,              -- two-sided
    williams_p_value  DOUBLE,              -- Williams test: is the best metric's correlation higher? NULL for the best
    among_best        BOOLEAN,             -- whether no metric is significantly better
    removed           VARCHAR[] NOT NULL,  -- outlier systems that were left out
    warning           VARCHAR,             -- what makes the figure weak, such as few systems
    undefined_reason  VARCHAR              -- why the coefficient is NULL
);
