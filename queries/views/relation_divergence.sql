-- relation_divergence: one row per language and dependency relation: the two of its treebanks that it differs most between.
-- grain: language, deprel
-- reads: current_scoring, dea_by_relation, selected_submissions
-- group: ask why
-- One relation realised well in one treebank and badly in another points at annotation that differs
-- (Shimorina et al. 2021, section 6). Two treebanks are compared by the systems that have outputs for
-- both, so that good systems on one do not pass for an easy relation: each system counts once, with
-- the mean over its submissions. Who counts: macro who_counts, treebank by treebank.
CREATE OR REPLACE VIEW relation_divergence AS
WITH counting AS (  -- told of runs: a condition on relations stops at a window over their rows
    SELECT entry.submission_id
    FROM selected_submissions AS entry
    SEMI JOIN (FROM edge_outcome SEMI JOIN current_scoring USING (submission_id, signature_id)) AS scored
        USING (submission_id)
    QUALIFY who_counts(entry, entry.treebank_id)
),
by_system AS (
    SELECT
        language, treebank_id, system_id, deprel,
        max(edges) AS edges,
        avg(dea ORDER BY submission_id) AS dea
    FROM dea_by_relation
    WHERE submission_id IN (SELECT submission_id FROM counting)
    GROUP BY ALL
),
pair AS (
    SELECT
        one.language, one.deprel,
        one.treebank_id AS treebank_id, other.treebank_id AS other_treebank_id,
        max(one.edges) AS edges, max(other.edges) AS other_edges,
        count(*) AS systems,
        avg(one.dea ORDER BY one.system_id)   AS dea,
        avg(other.dea ORDER BY one.system_id) AS other_dea
    FROM by_system AS one
    JOIN by_system AS other
        ON other.language = one.language
        AND other.deprel = one.deprel
        AND other.system_id = one.system_id
        AND other.treebank_id <> one.treebank_id
    GROUP BY ALL
),
ranked AS (
    SELECT
        *,
        count(DISTINCT treebank_id) OVER (PARTITION BY language, deprel) AS treebanks,
        row_number() OVER (
            PARTITION BY language, deprel
            ORDER BY other_dea - dea DESC, treebank_id, other_treebank_id
        ) AS place
    FROM pair
)
SELECT
    language,                                    -- language code
    deprel,                                      -- universal relation, subtype dropped
    treebanks,                                   -- treebanks with the relation that share a system with another one
    dea AS dea_lowest,                           -- its accuracy in the treebank where it is worse, 0 to 1
    other_dea AS dea_highest,                    -- its accuracy in the treebank where it is better
    other_dea - dea AS difference,               -- the second minus the first
    treebank_id AS lowest_treebank_id,           -- the treebank where it is worse
    other_treebank_id AS highest_treebank_id,    -- the treebank where it is better
    edges AS lowest_edges,                       -- its reference edges where it is worse
    other_edges AS highest_edges,                -- its reference edges where it is better
    systems                                      -- systems that have outputs for both
FROM ranked
WHERE place = 1
ORDER BY difference DESC, language, deprel;
