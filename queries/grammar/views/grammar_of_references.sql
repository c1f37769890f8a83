-- grammar_of_references: one row per treebank and rule set it was checked by: how well-formed the references are.
-- grain: treebank_id, signature
-- group: grammar and meaning
-- Pratapa et al. 2021, section 6: what the systems of Figure 5 are held against.
CREATE OR REPLACE VIEW grammar_of_references AS
WITH by_rule AS (
    SELECT
        signature_id,
        checked.treebank_id,
        kind,
        sum(violated) AS violated,
        sum(rule_applicable(signature.parameters, links, bearing)) AS applicable,
        checked.rule
    FROM reference_rule_check AS checked
    JOIN signature USING (signature_id)
    JOIN grammar_rule
        ON grammar_rule.rule_set_id = (signature.parameters ->> '$.rules')
        AND grammar_rule.rule = checked.rule
    GROUP BY ALL
)
SELECT
    by_rule.treebank_id,                                                         -- the treebank
    treebank.language,                                                           -- its language
    signature.parameters ->> '$.rules' AS rule_set_id,                           -- the rule set
    avg(1 - violated / nullif(applicable, 0) ORDER BY rule) AS grammar,          -- mean over rules of the share of links that keep them, 0 to 1
    avg(1 - violated / nullif(applicable, 0) ORDER BY rule)
        FILTER (WHERE kind = 'agreement') AS grammar_agreement,                  -- the same of agreement rules alone
    avg(1 - violated / nullif(applicable, 0) ORDER BY rule)
        FILTER (WHERE kind = 'argument_structure') AS grammar_argument,          -- the same of argument structure rules alone
    sum(applicable)::BIGINT AS applicable,                                       -- links to which a rule applies, counted for each rule
    sum(violated)::BIGINT AS violated,                                           -- those of them that break it
    signature.signature                                                          -- how it was computed
FROM by_rule
JOIN signature USING (signature_id)
JOIN treebank ON treebank.treebank_id = by_rule.treebank_id
GROUP BY by_rule.treebank_id, treebank.language, signature.parameters, signature.signature;
