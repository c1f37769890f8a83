-- relation_consistency: one row per treebank and dependency relation: its accuracy over the submissions that count, worst first.
-- grain: treebank_id, deprel
-- reads: current_scoring, dea_by_relation, selected_submissions
-- group: ask why
-- Where even the best submission realises a relation badly, its annotation may be inconsistent, or its
-- order not to be told from the tree (Shimorina et al. 2021, section 6). Who counts: macro
-- who_counts, treebank by treebank.
CREATE OR REPLACE VIEW relation_consistency AS
WITH counting AS (  -- told of runs: a condition on relations stops at a window over their rows
    SELECT entry.submission_id
    FROM selected_submissions AS entry
    SEMI JOIN (FROM edge_outcome SEMI JOIN current_scoring USING (submission_id, signature_id)) AS scored
        USING (submission_id)
    QUALIFY who_counts(entry, entry.treebank_id)
)
SELECT
    treebank_id,                                     -- the treebank
    any_value(language) AS language,                 -- its language code
    deprel,                                          -- universal relation, subtype dropped
    max(edges)  AS edges,                            -- its reference edges in the treebank
    count(*)    AS submissions,                      -- submissions that count and have a score
    avg(dea ORDER BY submission_id) AS dea_mean,     -- mean of their accuracies, 0 to 1
    median(dea) AS dea_median,                       -- median of their accuracies
    min(dea)    AS dea_min,                          -- accuracy of the worst submission
    max(dea)    AS dea_max                           -- accuracy of the best submission
FROM dea_by_relation
WHERE submission_id IN (SELECT submission_id FROM counting)
GROUP BY treebank_id, deprel
ORDER BY dea_max, treebank_id, deprel;
