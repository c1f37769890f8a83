-- dea_by_relation: one row per submission and dependency relation.
-- grain: submission_id, deprel
-- reads: current_scoring, submission_identity
-- group: score
-- listed: first
-- Dependency edge accuracy by relation (Shimorina et al. 2021, section 3.2, Table 4).
CREATE OR REPLACE VIEW dea_by_relation AS
WITH edge AS (
    SELECT submission_id, unnest(deprels) AS deprel, unnest(found) AS found
    FROM edge_outcome
    SEMI JOIN current_scoring USING (submission_id, signature_id)
    JOIN submission USING (submission_id)
    JOIN reference_edges USING (treebank_id, sentence_no)
),
relation AS (
    SELECT submission_id, deprel, count(*) AS edges, avg(found) AS dea
    FROM edge
    GROUP BY submission_id, deprel
)
SELECT
    identity.* EXCLUDE (params, tags),
    deprel,      -- universal relation, subtype dropped
    edges,       -- reference edges with this relation
    dea,         -- share of them found in the output, 0 to 1
    identity.params,
    identity.tags
FROM relation
JOIN submission_identity AS identity USING (submission_id);
