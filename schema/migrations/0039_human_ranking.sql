-- human_ranking: one row per campaign, treebank, criterion, choice of annotators and submission.
CREATE TABLE human_ranking (
    campaign_id    VARCHAR NOT NULL,  -- the campaign
    treebank_id    VARCHAR NOT NULL,  -- the treebank
    criterion      VARCHAR NOT NULL,  -- what was judged
    annotators     VARCHAR NOT NULL,  -- whose judgements count: all or passing
    submission_id  VARCHAR NOT NULL,  -- the submission
    raw_mean       DOUBLE  NOT NULL,  -- mean of its sentences' raw means, 0 to 100
    z_mean         DOUBLE,            -- mean of its sentences' z-scores
    sentences      INTEGER NOT NULL,  -- distinct sentences that were judged
    assessments    INTEGER NOT NULL,  -- judgements behind them
    cluster        INTEGER,           -- rank cluster, 1 for the best: systems of different clusters differ significantly
    rank_from      INTEGER,           -- best rank within its cluster
    rank_to        INTEGER            -- worst rank within its cluster
);
