-- relation_entropy: one row per treebank, level and dependency relation: how free its word order is.
-- grain: treebank_id, level, deprel
-- group: ask why
-- Entropy H(d) of the side on which the dependent stands (Shimorina et al. 2021, section 3.1); the root has none. Relations
-- are there as annotated, with subtypes, and as universal ones. Of those punctuation is left out
-- (section 5.3): it is stripped before edges are compared.
CREATE OR REPLACE VIEW relation_entropy AS
WITH annotated AS (
    SELECT
        treebank_id,
        deprel,
        count(*) AS edges,
        count(*) FILTER (WHERE token_no < head) AS head_final,
        count(*) FILTER (WHERE token_no > head) AS head_initial
    FROM token
    WHERE head > 0 AND deprel IS NOT NULL
    GROUP BY ALL
),
relation AS (
    SELECT 'annotated' AS level, *
    FROM annotated
    UNION ALL
    SELECT
        'universal',
        treebank_id,
        split_part(deprel, ':', 1) AS universal,
        sum(edges)::BIGINT,
        sum(head_final)::BIGINT,
        sum(head_initial)::BIGINT
    FROM annotated
    WHERE universal <> 'punct'
    GROUP BY ALL
)
SELECT
    treebank_id,     -- the treebank
    language,        -- its language code
    level,           -- annotated: relations with their subtypes; universal: subtypes dropped, without punctuation
    deprel,          -- the relation
    edges,           -- edges with this relation
    head_final,      -- edges whose dependent comes before its head
    head_initial,    -- edges whose dependent comes after its head
    binary_entropy(head_final, head_initial) AS entropy  -- 0 where the order is fixed, 1 bit where both are as frequent
FROM relation
JOIN treebank USING (treebank_id);
