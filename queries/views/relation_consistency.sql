-- relation_consistency: one row per treebank and dependency relation: its accuracy over all submissions, worst first.
-- Where even the best submission realises a relation badly, its annotation may be inconsistent, or its
-- order not to be told from the tree (Shimorina et al. 2021, section 6). Every scored submission
-- counts, all iterations of a system alike; human references (system.kind) are left out.
CREATE OR REPLACE VIEW relation_consistency AS
SELECT
    dea_by_relation.treebank_id,                     -- the treebank
    any_value(treebank.language) AS language,        -- its language code
    dea_by_relation.deprel,                          -- universal relation, subtype dropped
    max(edges)  AS edges,                            -- its reference edges in the treebank
    count(*)    AS submissions,                      -- submissions with a score
    avg(dea ORDER BY submission_id) AS dea_mean,     -- mean of their accuracies, 0 to 1
    median(dea) AS dea_median,                       -- median of their accuracies
    min(dea)    AS dea_min,                          -- accuracy of the worst submission
    max(dea)    AS dea_max                           -- accuracy of the best submission
FROM dea_by_relation
JOIN treebank ON treebank.treebank_id = dea_by_relation.treebank_id
ANTI JOIN (FROM system WHERE kind = 'human') AS human
    ON human.system_id = dea_by_relation.system_id
GROUP BY dea_by_relation.treebank_id, dea_by_relation.deprel
ORDER BY dea_max, dea_by_relation.treebank_id, dea_by_relation.deprel;
