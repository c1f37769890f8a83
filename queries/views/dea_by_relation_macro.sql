-- dea_by_relation_macro: one row per dependency relation, lowest accuracy first: all submissions that count alike.
-- grain: deprel
-- reads: current_scoring, dea_by_relation, selected_submissions
-- group: score
-- listed: first
-- Macro-average over submissions (Shimorina et al. 2021, Table 4). Who counts: macro who_counts.
CREATE OR REPLACE VIEW dea_by_relation_macro AS
WITH counting AS (  -- told of runs: a condition on relations stops at a window over their rows
    SELECT entry.submission_id, entry.treebank_id
    FROM selected_submissions AS entry
    SEMI JOIN (FROM edge_outcome SEMI JOIN current_scoring USING (submission_id, signature_id)) AS scored
        USING (submission_id)
    QUALIFY who_counts(entry, 0)
),
in_treebanks AS (
    SELECT deprel, count(*) AS edges
    FROM reference_edge
    SEMI JOIN counting USING (treebank_id)
    GROUP BY deprel
)
SELECT
    deprel,                                          -- universal relation, subtype dropped
    any_value(in_treebanks.edges) AS edges,          -- its edges in the treebanks of the submissions that count
    count(*)    AS submissions,                      -- submissions that count and whose treebank has the relation
    avg(dea ORDER BY submission_id) AS dea,          -- mean of the submissions' accuracies, 0 to 1
    median(dea) AS dea_median,                       -- their median
    min(dea)    AS dea_min,                          -- the lowest of them
    max(dea)    AS dea_max                           -- the highest of them
FROM dea_by_relation
JOIN in_treebanks USING (deprel)
WHERE submission_id IN (SELECT submission_id FROM counting)
GROUP BY deprel
ORDER BY dea, deprel;
