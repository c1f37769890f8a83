-- agreement_of_evaluations: one row per treebank, method and two ways in which people evaluated the same systems.
-- grain: campaign_id, criterion, other_campaign_id, other_criterion, treebank_id, method
-- group: people
-- formerly: evaluation_agreements
-- Two campaigns with the same criterion, such as a crowd's and experts' (Mille et al. 2018, Tables 10 and 11), or two
-- criteria of a campaign. Systems go together by name and iteration; human references are left out.
CREATE OR REPLACE VIEW agreement_of_evaluations AS
SELECT
    evaluation_agreement.campaign_id,        -- one campaign, such as the crowd's
    campaign.year,                           -- its year
    evaluation_agreement.criterion,          -- its criterion
    evaluation_agreement.other_campaign_id,  -- the other campaign, such as the experts', or the same
    other_campaign.year AS other_year,       -- its year
    evaluation_agreement.other_criterion,    -- its criterion
    evaluation_agreement.treebank_id,        -- the treebank
    treebank.language,                       -- language code of the treebank
    evaluation_agreement.method,             -- pearson, spearman or kendall
    evaluation_agreement.n,                  -- systems both evaluated
    evaluation_agreement.coefficient,        -- correlation of their mean z-scores, -1 to 1; NULL where undefined
    evaluation_agreement.p_value,            -- two-sided
    evaluation_agreement.undefined_reason    -- why the coefficient is NULL
FROM evaluation_agreement
LEFT JOIN campaign ON campaign.campaign_id = evaluation_agreement.campaign_id
LEFT JOIN campaign AS other_campaign ON other_campaign.campaign_id = evaluation_agreement.other_campaign_id
LEFT JOIN treebank ON treebank.treebank_id = evaluation_agreement.treebank_id
ORDER BY
    evaluation_agreement.campaign_id, evaluation_agreement.other_campaign_id,
    evaluation_agreement.treebank_id, criterion, other_criterion, method;
