-- human_score_settings: one row per campaign and criterion: how its human scores were made from judgements.
-- grain: campaign_id, criterion
-- reads: judged_criteria
-- group: people
-- formerly: standardisations
-- z-scores of different campaigns are not comparable: each is relative to its own annotators and outputs.
CREATE OR REPLACE VIEW human_score_settings AS
SELECT
    standardisation.campaign_id,  -- the campaign
    campaign.year,                -- year of the campaign
    standardisation.criterion,    -- what was judged
    standardisation.deviation,    -- standard deviation of an annotator's scores: sample or population
    regexp_extract(standardisation.signature, '\|within:(\w+)', 1)
        AS within,                -- what an annotator's mean and deviation are of: all scores in the campaign, or treebank
    coalesce(nullif(regexp_extract(standardisation.signature, '\|unvaried:(\w+)', 1), ''), 'null')
        AS unvaried,              -- z-scores of annotators who always give the same score: null or zero
    standardisation.annotators,   -- whose judgements count: all or passing
    standardisation.threshold,    -- p-value below which degraded copies count as rated lower
    standardisation.judgements,   -- ordinary and repeated judgements behind the scores
    coalesce(standardisation.data_sha256 = judged_criteria.data_sha256, false)
        AS up_to_date,            -- whether the judgements are still the same; else run 'tracker human' again
    standardisation.ranked_by,    -- the score of a sentence that ranks and is tested: z or raw
    standardisation.ranked_over,  -- what a submission's mean is of: sentences or domains
    standardisation.ranked_test,  -- which test makes clusters: rank-sum, signed-rank or wmt24
    standardisation.domain_pattern,  -- what found domains in documents' names; NULL for the stored ones
    standardisation.signature,    -- what makes the scores comparable, within the campaign alone
    standardisation.data_sha256,  -- hash of the judgements
    standardisation.tool,         -- version of sr-tracker
    standardisation.computed_at   -- when
FROM standardisation
LEFT JOIN judged_criteria USING (campaign_id, criterion)
LEFT JOIN campaign USING (campaign_id)
ORDER BY standardisation.campaign_id, standardisation.criterion;
