-- agreement_of_annotators: one row per campaign, criterion, choice of annotators and kind of agreement.
-- grain: campaign_id, criterion, annotators, kind
-- group: people
-- formerly: annotator_agreements
-- Within annotators as in Mille et al. 2018, section 3.2.2.
CREATE OR REPLACE VIEW agreement_of_annotators AS
SELECT
    campaign_id,       -- the campaign
    campaign.year,     -- year of the campaign
    criterion,         -- what was judged
    annotators,        -- whose judgements count: all or passing
    kind,              -- intra (Pearson's r on repeats, mean of HITs) or alpha (Krippendorff's, interval, on raw scores)
    agreement,         -- the value, at most 1; NULL where undefined
    units,             -- HITs it is the mean of, or outputs with several annotators
    judgements,        -- judgements behind it
    low,               -- lower end of its 95% interval, by bootstrap, for these annotators; NULL where there is none
    high,              -- upper end
    resampling_unit,   -- what was drawn whole: document, text or sentence, of intra annotator or HIT
    clusters,          -- how many of these there were
    undefined_reason,  -- why it is NULL
    no_interval        -- why there is no interval
FROM annotator_agreement
LEFT JOIN campaign USING (campaign_id)
ORDER BY campaign_id, criterion, annotators, kind DESC;
