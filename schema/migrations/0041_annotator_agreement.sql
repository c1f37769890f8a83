-- annotator_agreement: one row per campaign, criterion and kind of agreement.
CREATE TABLE annotator_agreement (
    campaign_id       VARCHAR NOT NULL,  -- the campaign
    criterion         VARCHAR NOT NULL,  -- what was judged
    annotators        VARCHAR NOT NULL,  -- whose judgements count: all or passing
    kind              VARCHAR NOT NULL,  -- intra (Pearson's r on repeats, mean of HITs) or alpha (Krippendorff's, interval)
    agreement         DOUBLE,            -- the value, at most 1; NULL where undefined
    units             INTEGER NOT NULL,  -- HITs with repeats, or items with several annotators
    judgements        INTEGER NOT NULL,  -- judgements behind it
    undefined_reason  VARCHAR            -- why it is NULL
);
