-- correlation: one row per pair of measures of a submission: how they go together.
CREATE TABLE correlation (
    signature_id      VARCHAR NOT NULL,  -- how it was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    method            VARCHAR NOT NULL,  -- spearman, pearson or kendall
    unit              VARCHAR NOT NULL,  -- what is counted: sentence or relation
    measure           VARCHAR NOT NULL,  -- a metric, a human criterion or a complexity measure
    other_measure     VARCHAR NOT NULL,  -- the other one
    n                 INTEGER NOT NULL,  -- sentences or relations that have both
    coefficient       DOUBLE,            -- rho, r or tau-b, -1 to 1; NULL where undefined
    p_value           DOUBLE,            -- two-sided
    p_holm            DOUBLE,            -- the same, corrected over the submission's pairs (Holm-Bonferroni)
    undefined_reason  VARCHAR            -- why the coefficient is NULL
);
