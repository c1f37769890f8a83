-- grammar_dependencies: one row per dependent and its head: the dependency's type, which rules are about, and both words' features.
-- The facts are the tests of rules' conditions that hold of it.
CREATE OR REPLACE TEMP TABLE grammar_dependency AS
SELECT
    dependent.target,
    dependent.sentence_no,
    dependent.token_no,
    dependent.head,
    dependent.deprel,
    dependent.upos AS dependent_upos,
    head.upos AS head_upos,
    coalesce(dependent.feats, '') AS dependent_feats,
    coalesce(head.feats, '') AS head_feats,
    []::VARCHAR[] AS facts
FROM grammar_dependent AS dependent
JOIN grammar_word AS head
    ON head.target = dependent.target
    AND head.sentence_no = dependent.sentence_no
    AND head.token_no = dependent.head
WHERE dependent.deprel IS NOT NULL;
