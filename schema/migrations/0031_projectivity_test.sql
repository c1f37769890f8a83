-- projectivity_test: one row per submission and metric: projective against non-projective sentences.
CREATE TABLE projectivity_test (
    signature_id           VARCHAR NOT NULL,  -- how it was computed
    submission_id          VARCHAR NOT NULL,  -- the submission
    metric                 VARCHAR NOT NULL,  -- a metric or a human criterion
    projective             INTEGER NOT NULL,  -- projective sentences with a score
    non_projective         INTEGER NOT NULL,  -- non-projective sentences with a score
    projective_median      DOUBLE,            -- median score of the projective sentences
    non_projective_median  DOUBLE,            -- median score of the non-projective sentences
    u                      DOUBLE,            -- Mann-Whitney U of the projective sentences
    p_value                DOUBLE,            -- two-sided
    rank_biserial          DOUBLE,            -- effect size, -1 to 1; above 0 where projective sentences score higher
    undefined_reason       VARCHAR            -- why U is NULL
);
