-- error_mining: one row per submission and mining: which sentences count as failed.
CREATE TABLE error_mining (
    signature_id      VARCHAR NOT NULL,  -- how it was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    labels            VARCHAR NOT NULL,  -- what nodes are labelled with
    metric            VARCHAR NOT NULL,  -- the metric that tells failed sentences from passed ones
    quantile          DOUBLE,            -- share of the sentences meant to fail; NULL where a threshold was given
    threshold         DOUBLE,            -- a sentence fails where its score is at most this
    sentences         INTEGER NOT NULL,  -- sentences with a score
    failed            INTEGER NOT NULL,  -- those that failed
    max_nodes         INTEGER NOT NULL,  -- patterns have at most so many nodes
    minimum_support   INTEGER NOT NULL,  -- and are in at least so many sentences
    undefined_reason  VARCHAR            -- why nothing could be mined
);
