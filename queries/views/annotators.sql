-- annotators: one row per campaign, annotator and criterion: how carefully was judged, and who passed quality control.
-- grain: campaign_id, annotator_id, criterion
-- group: people
-- The last columns are about all annotators of a criterion. Passing are those who rate degraded copies lower than their originals (Mille et al. 2018, section 3.2.1).
CREATE OR REPLACE VIEW annotators AS
SELECT
    campaign_id,           -- the campaign
    campaign.year,         -- year of the campaign
    annotator_id,          -- who judged
    criterion,             -- what was judged
    passed,                -- whether the annotator passes; NULL where it cannot be told
    reason,                -- why not, or why it cannot be told
    judgements,            -- judgements of any kind
    raw_mean,              -- mean of all raw scores, 0 to 100
    sample_deviation,      -- their sample standard deviation; NULL for one judgement
    population_deviation,  -- their population standard deviation
    degraded_pairs,        -- degraded copies whose original was judged too
    degraded_difference,   -- mean of original minus degraded copy
    degraded_p_value,      -- one-sided paired t-test: are degraded copies rated lower?
    repeat_pairs,          -- exact repeats whose original was judged too
    repeat_difference,     -- mean absolute difference between them
    repeat_correlation,    -- Pearson's r between them
    repeat_p_value,        -- two-sided paired t-test: do repeats differ from their originals?
    references_judged,     -- references put in as outputs
    reference_mean,        -- their mean raw score
    count(*) OVER judged AS annotators,  -- annotators who judged by the criterion
    count(passed) OVER judged AS tested_annotators,  -- those with at least two degraded copies: it can be told
    count(*) FILTER (WHERE passed) OVER judged AS passed_annotators,  -- those who passed
    passed_annotators / nullif(tested_annotators, 0) AS pass_rate,  -- passed of those tested, 0 to 1; NULL where nobody is
    sum(judgements) OVER judged::BIGINT AS all_judgements,  -- judgements of all annotators
    coalesce(sum(judgements) FILTER (WHERE passed) OVER judged, 0)::BIGINT
        AS passing_judgements  -- those of annotators who passed
FROM annotator_quality
LEFT JOIN campaign USING (campaign_id)
WINDOW judged AS (PARTITION BY campaign_id, criterion)
ORDER BY campaign_id, criterion, annotator_id;
