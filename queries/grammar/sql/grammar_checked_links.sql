-- grammar_checked_links: one row per rule at hand and link it applies to: whether the link breaks it.
CREATE OR REPLACE TEMP VIEW checked_link AS
SELECT rule, target, sentence_no, token_no, head, bearing, violated
FROM (SELECT *, token_no < head AS before FROM grammar_link)
JOIN grammar_verdict USING (
    deprel, dependent_upos, head_upos, dependent_feats, head_feats, before
);
