-- entropy_dea: one row per submission and universal relation: how free its word order is, and how often it is realised.
-- Free and badly realised are the relations of high entropy and low accuracy (Shimorina et al. 2021, section 5.3).
CREATE OR REPLACE VIEW entropy_dea AS
SELECT
    dea_by_relation.submission_id,  -- the submission
    dea_by_relation.campaign_id,    -- the campaign
    campaign.year,                  -- year of the campaign
    dea_by_relation.system_id,      -- the system
    dea_by_relation.treebank_id,    -- the treebank
    relation_entropy.language,      -- language code of the treebank
    dea_by_relation.deprel,         -- universal relation, subtype dropped
    dea_by_relation.edges,          -- reference edges with this relation
    relation_entropy.entropy,       -- entropy of its word order in the treebank, 0 to 1 bit
    dea_by_relation.dea             -- share of its edges found in the output, 0 to 1
FROM dea_by_relation
JOIN relation_entropy
    ON relation_entropy.treebank_id = dea_by_relation.treebank_id
    AND relation_entropy.deprel = dea_by_relation.deprel
JOIN campaign
    ON campaign.campaign_id = dea_by_relation.campaign_id
WHERE dea_by_relation.deprel <> 'punct';
