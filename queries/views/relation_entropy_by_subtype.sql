-- relation_entropy_by_subtype: one row per treebank and relation as annotated, with its subtype: how free its word order is.
-- grain: treebank_id, relation
-- group: ask why
-- All edges of the reference trees count, punctuation among them; the root has none (Shimorina et al. 2021, section 3.1).
CREATE OR REPLACE VIEW relation_entropy_by_subtype AS
SELECT
    treebank_id,                                                -- the treebank
    any_value(language) AS language,                            -- its language code
    deprel AS relation,                                         -- relation with its subtype
    count(*) AS edges,                                          -- edges with this relation
    count(*) FILTER (WHERE token_no < head) AS head_final,      -- edges whose dependent comes before its head
    count(*) FILTER (WHERE token_no > head) AS head_initial,    -- edges whose dependent comes after its head
    binary_entropy(head_final, head_initial) AS entropy         -- 0 where the order is fixed, 1 bit where both are as frequent
FROM token
JOIN treebank USING (treebank_id)
WHERE head > 0 AND deprel IS NOT NULL
GROUP BY treebank_id, deprel;
