-- relation_entropy: one row per treebank and universal relation: how free its word order is.
-- grain: treebank_id, deprel
-- reads: relation_entropy_by_subtype
-- group: ask why
-- Entropy H(d) of the side on which the dependent stands (Shimorina et al. 2021, section 3.1). Punctuation is left out
-- (section 5.3): it is stripped before edges are compared; relation_entropy_by_subtype has it.
CREATE OR REPLACE VIEW relation_entropy AS
WITH universal AS (
    SELECT
        treebank_id,
        any_value(language) AS language,
        split_part(relation, ':', 1) AS deprel,
        sum(edges)::BIGINT AS edges,
        sum(head_final)::BIGINT AS head_final,
        sum(head_initial)::BIGINT AS head_initial
    FROM relation_entropy_by_subtype
    WHERE relation <> 'punct' AND NOT starts_with(relation, 'punct:')
    GROUP BY ALL
)
SELECT
    treebank_id,     -- the treebank
    language,        -- its language code
    deprel,          -- universal relation, subtype dropped
    edges,           -- edges with this relation
    head_final,      -- edges whose dependent comes before its head
    head_initial,    -- edges whose dependent comes after its head
    binary_entropy(head_final, head_initial) AS entropy  -- 0 where the order is fixed, 1 bit where both are as frequent
FROM universal;
