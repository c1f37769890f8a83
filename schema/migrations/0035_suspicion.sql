-- suspicion: one row per submission, mining and pattern: how often it goes with failure.
CREATE TABLE suspicion (
    signature_id   VARCHAR NOT NULL,  -- how it was computed
    submission_id  VARCHAR NOT NULL,  -- the submission
    pattern        VARCHAR NOT NULL,  -- the subtree pattern
    nodes          INTEGER NOT NULL,  -- its number of nodes
    sentences      INTEGER NOT NULL,  -- scored sentences that contain it
    failed         INTEGER NOT NULL,  -- those of them that failed
    p_value        DOUBLE  NOT NULL,  -- one-sided Fisher exact test: does it go with failure?
    p_holm         DOUBLE  NOT NULL   -- the same, corrected over the patterns of this mining (Holm-Bonferroni)
);
