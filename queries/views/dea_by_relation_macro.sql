-- dea_by_relation_macro: one row per dependency relation, lowest accuracy first: all submissions alike.
-- Macro-average over submissions (Shimorina et al. 2021, Table 4).
CREATE OR REPLACE VIEW dea_by_relation_macro AS
WITH in_treebanks AS (
    SELECT deprel, count(*) AS edges
    FROM reference_edge
    SEMI JOIN submission USING (treebank_id)
    GROUP BY deprel
)
SELECT
    deprel,                                -- universal relation, subtype dropped
    any_value(in_treebanks.edges) AS edges,  -- its edges in the treebanks that have submissions
    count(*)    AS submissions,            -- submissions whose treebank has the relation
    avg(dea ORDER BY submission_id) AS dea,                    -- mean of the submissions' accuracies, 0 to 1
    median(dea) AS dea_median              -- their median
FROM dea_by_relation
JOIN in_treebanks USING (deprel)
GROUP BY deprel
ORDER BY dea, deprel;
