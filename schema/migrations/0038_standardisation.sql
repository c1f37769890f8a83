-- standardisation: one row per campaign and criterion: how its human scores were made from judgements.
CREATE TABLE standardisation (
    campaign_id  VARCHAR     NOT NULL,  -- the campaign
    criterion    VARCHAR     NOT NULL,  -- what was judged
    deviation    VARCHAR     NOT NULL,  -- standard deviation of an annotator's scores: sample or population
    annotators   VARCHAR     NOT NULL,  -- whose judgements count: all or passing
    threshold    DOUBLE      NOT NULL,  -- p-value below which degraded copies count as rated lower
    judgements   INTEGER     NOT NULL,  -- ordinary and repeated judgements behind the scores
    signature    VARCHAR     NOT NULL,  -- what makes the scores comparable
    data_sha256  VARCHAR     NOT NULL,  -- hash of the judgements
    tool         VARCHAR     NOT NULL,  -- version of sr-tracker
    computed_at  TIMESTAMPTZ NOT NULL   -- when
);
