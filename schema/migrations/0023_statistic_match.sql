-- statistic_match: one row per output and plug-in metric: the sufficient statistics that the metric defines.
CREATE TABLE statistic_match (
    signature_id   VARCHAR  NOT NULL,  -- how it was computed
    submission_id  VARCHAR  NOT NULL,  -- the submission
    sentence_no    INTEGER  NOT NULL,  -- the sentence
    statistics     DOUBLE[] NOT NULL   -- sufficient statistics in the metric's own order
);
