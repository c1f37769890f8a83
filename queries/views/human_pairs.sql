-- human_pairs: one row per ordered pair of submissions to a treebank, criterion and choice of annotators.
-- grain: submission_id, base_submission_id, criterion, annotators
-- reads: submission_identity
-- group: people
-- listed: first
-- formerly: human_comparisons, base_submission_id AS other_submission_id, base_system_id AS other_system_id, base_sentences AS other_sentences
-- Is the submission rated higher than its base? Wilcoxon tests of sentences' scores: rank-sum
-- unless asked otherwise, over documents where these are known (Mille et al. 2018, section 5.2.1, Figures 4 to 6).
CREATE OR REPLACE VIEW human_pairs AS
SELECT
    identity.* EXCLUDE (params, tags),
    compared.criterion,            -- what was judged
    compared.annotators,           -- whose judgements count: all or passing
    compared.annotators = standardisation.annotators AS chosen,  -- whether human scores rest on these annotators
    compared.other_submission_id
        AS base_submission_id,     -- the submission that it is compared with
    base.system_id AS base_system_id,  -- the system of the base
    base.iteration AS base_iteration,  -- the iteration of the base
    compared.sentences,            -- judged sentences of the submission that have a score
    compared.other_sentences
        AS base_sentences,         -- those of the base
    standardisation.ranked_test,   -- which test it is: rank-sum, signed-rank or wmt24
    compared.score_difference,     -- score that ranks minus that of the base
    compared.z_difference,         -- mean z-score minus that of the base
    compared.u,                    -- the statistic: Mann-Whitney U (pairs of sentences in which it is higher, ties one half), sum of positive ranks, or z
    compared.p_value,              -- one-sided: is the submission rated higher?
    compared.documents,            -- documents that the test takes for independent; NULL where it takes sentences
    compared.design_effect,        -- how many times the statistic's variance by documents is that by sentences
    compared.p_holm,               -- the same, corrected over all pairs of the treebank and criterion (Holm-Bonferroni)
    compared.undefined_reason,     -- why there is no test
    identity.params,
    identity.tags
FROM human_comparison AS compared
JOIN submission_identity AS identity USING (submission_id)
JOIN submission AS base ON base.submission_id = compared.other_submission_id
LEFT JOIN standardisation
    ON standardisation.campaign_id = compared.campaign_id
    AND standardisation.criterion = compared.criterion;
