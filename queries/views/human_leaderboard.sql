-- human_leaderboard: one row per submission, criterion and choice of annotators: its place by people's judgement.
-- grain: submission_id, criterion, annotators
-- reads: submission_identity
-- group: people
-- listed: first
-- formerly: human_rankings
-- Mille et al. 2018, Tables 6 to 8. z-scores of different campaigns or criteria are not comparable.
-- Means that only rounding tells apart share a place.
CREATE OR REPLACE VIEW human_leaderboard AS
SELECT
    identity.* EXCLUDE (params, tags),
    ranking.criterion,                                      -- what was judged
    ranking.annotators,                                     -- whose judgements count: all or passing
    ranking.annotators = standardisation.annotators AS chosen,  -- whether human scores rest on these annotators
    rank() OVER place AS place,                             -- by score, 1 for the best; those without one come last
    ranking.score,                                          -- what ranks: the mean z-score, or the raw one, over sentences or domains
    standardisation.ranked_by,                              -- which score of a sentence that is: z or raw
    standardisation.ranked_over,                            -- what it is the mean of: sentences or domains
    ranking.domains,                                        -- domains that it is the mean of; NULL for a mean over sentences
    ranking.raw_mean,                                       -- mean of its sentences' raw means, 0 to 100
    ranking.z_mean,                                         -- mean of its sentences' z-scores
    ranking.sentences,                                      -- n: distinct sentences that were judged
    ranking.assessments,                                    -- judgements behind them
    ranking.cluster,                                        -- rank cluster, 1 for the best: different clusters differ significantly
    ranking.rank_from,                                      -- best rank within its cluster
    ranking.rank_to,                                       -- worst rank within its cluster
    identity.params,
    identity.tags
FROM human_ranking AS ranking
JOIN submission_identity AS identity USING (submission_id)
LEFT JOIN standardisation
    ON standardisation.campaign_id = ranking.campaign_id
    AND standardisation.criterion = ranking.criterion
WINDOW place AS (
    PARTITION BY ranking.campaign_id, ranking.treebank_id, ranking.criterion, ranking.annotators
    ORDER BY round(ranking.score, 12) DESC NULLS LAST
)
ORDER BY
    ranking.campaign_id, ranking.treebank_id, ranking.criterion, ranking.annotators, place,
    ranking.submission_id;
