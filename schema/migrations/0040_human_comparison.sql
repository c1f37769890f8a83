-- human_comparison: one row per ordered pair of submissions to a treebank, criterion and choice of annotators.
CREATE TABLE human_comparison (
    campaign_id          VARCHAR NOT NULL,  -- the campaign
    treebank_id          VARCHAR NOT NULL,  -- the treebank
    criterion            VARCHAR NOT NULL,  -- what was judged
    annotators           VARCHAR NOT NULL,  -- whose judgements count: all or passing
    submission_id        VARCHAR NOT NULL,  -- the submission
    other_submission_id  VARCHAR NOT NULL,  -- the one it is compared with
    sentences            INTEGER NOT NULL,  -- judged sentences of the submission
    other_sentences      INTEGER NOT NULL,  -- judged sentences of the other one
    z_difference         DOUBLE,            -- mean z-score minus that of the other one
    u                    DOUBLE,            -- Mann-Whitney U of the submission (Wilcoxon rank sum)
    p_value              DOUBLE,            -- one-sided: is the submission rated higher?
    p_holm               DOUBLE,            -- the same, corrected over the pairs of a treebank and criterion
    undefined_reason     VARCHAR            -- why U is NULL
);
