-- sentence_relations: one row per reference sentence with edges: the different relations in its tree.
-- grain: treebank_id, sentence_no
-- group: internal
CREATE OR REPLACE VIEW sentence_relations AS
WITH relation AS (
    SELECT treebank_id, sentence_no, unnest(deprels) AS deprel
    FROM reference_edges
    UNION
    SELECT treebank_id, sentence_no, deprel
    FROM token
    WHERE contains(deprel, ':')
)
SELECT
    treebank_id,                -- the treebank
    sentence_no,                -- the sentence
    list(deprel ORDER BY deprel)
        AS deprels              -- its universal relations, and those with a subtype in full too
FROM relation
WHERE deprel IS NOT NULL
GROUP BY treebank_id, sentence_no;
