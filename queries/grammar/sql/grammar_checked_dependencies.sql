-- grammar_checked_dependencies: one row per rule at hand and dependency it applies to: whether the dependency breaks it.
CREATE OR REPLACE TEMP VIEW checked_dependency AS
SELECT rule, target, sentence_no, token_no, head, deprel, bearing, violated
FROM (SELECT *, token_no < head AS before FROM grammar_dependency)
JOIN grammar_verdict USING (
    deprel, dependent_upos, head_upos, dependent_feats, head_feats, facts, before
);
