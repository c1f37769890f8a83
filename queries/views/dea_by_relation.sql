-- dea_by_relation: one row per submission and dependency relation.
-- Dependency edge accuracy by relation (Shimorina et al. 2021, section 3.2, Table 4).
CREATE OR REPLACE VIEW dea_by_relation AS
SELECT
    campaign_id,                -- the campaign
    treebank_id,                -- the treebank
    system_id,                  -- the system
    submission_id,              -- the submission
    deprel,                     -- universal relation, subtype dropped
    count(*)   AS edges,        -- reference edges with this relation
    avg(found) AS dea           -- share of them found in the output, 0 to 1
FROM edge_match
SEMI JOIN current_scoring USING (submission_id, signature_id)
JOIN submission USING (submission_id)
GROUP BY ALL;
