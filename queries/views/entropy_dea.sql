-- entropy_dea: one row per submission and universal relation: how free its word order is, and how often it is realised.
-- grain: submission_id, deprel
-- reads: dea_by_relation, relation_entropy, submission_identity
-- group: ask why
-- Free and badly realised are the relations of high entropy and low accuracy (Shimorina et al. 2021, section 5.3).
CREATE OR REPLACE VIEW entropy_dea AS
SELECT
    identity.* EXCLUDE (params, tags),
    dea_by_relation.deprel,         -- universal relation, subtype dropped
    dea_by_relation.edges,          -- reference edges with this relation
    relation_entropy.entropy,       -- entropy of its word order in the treebank, 0 to 1 bit
    dea_by_relation.dea,            -- share of its edges found in the output, 0 to 1
    identity.params,
    identity.tags
FROM dea_by_relation
JOIN submission_identity AS identity USING (submission_id)
JOIN relation_entropy
    ON relation_entropy.treebank_id = dea_by_relation.treebank_id
    AND relation_entropy.level = 'universal'
    AND relation_entropy.deprel = dea_by_relation.deprel;
