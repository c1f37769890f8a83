-- treebank_entropy: one row per treebank: how free the word order of its universal relations is.
-- grain: treebank_id
-- reads: relation_entropy
-- group: ask why
-- Relations weigh the same, punctuation is left out of relation_entropy (Shimorina et al. 2021, section 5.3).
CREATE OR REPLACE VIEW treebank_entropy AS
SELECT
    treebank_id,                                      -- the treebank
    any_value(language) AS language,                  -- its language code
    count(*) AS relations,                            -- universal relations in it
    avg(entropy ORDER BY deprel) AS entropy_mean,     -- mean entropy of the relations, in bits
    median(entropy) AS entropy_median                 -- their median
FROM relation_entropy
WHERE level = 'universal'
GROUP BY treebank_id;
