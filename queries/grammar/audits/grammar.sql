-- grammar: one row per rule set, rule or check of rules that cannot be, such as more links broken than there are.
WITH checked AS (
    SELECT signature_id, submission_id AS target, sentence_no, rule, links, bearing, violated
    FROM rule_check
    UNION ALL
    SELECT signature_id, treebank_id, sentence_no, rule, links, bearing, violated
    FROM reference_rule_check
)
SELECT
    'counts contradict each other' AS fault,  -- what is wrong
    target,                                   -- the submission, treebank or rule set
    sentence_no,                              -- the sentence
    rule                                      -- the rule
FROM checked
WHERE links < 1 OR violated < 0 OR violated > bearing OR bearing > links
UNION ALL
SELECT 'check by no rule of its set', target, sentence_no, checked.rule
FROM checked
LEFT JOIN signature USING (signature_id)
LEFT JOIN grammar_rule
    ON grammar_rule.rule_set_id = (signature.parameters ->> '$.rules')
    AND grammar_rule.rule = checked.rule
WHERE grammar_rule.rule IS NULL
UNION ALL
SELECT 'number of rules differs', rule_set_id, NULL, NULL
FROM rule_set
LEFT JOIN (
    SELECT rule_set_id, count(*) AS found FROM grammar_rule GROUP BY rule_set_id
) USING (rule_set_id)
WHERE rules IS DISTINCT FROM found
UNION ALL
SELECT 'values do not go with the kind of rule', rule_set_id, NULL, rule
FROM grammar_rule
WHERE kind NOT IN ('agreement', 'argument_structure', 'word_order')
    OR (kind = 'agreement') <> (allowed_values IS NULL)
    OR (kind = 'argument_structure') <> (bearer IS NOT NULL)
    OR len(allowed_values) = 0
UNION ALL
SELECT 'support or strength is negative or not finite', rule_set_id, NULL, rule
FROM grammar_rule
WHERE support < 0 OR strength < 0 OR NOT isfinite(strength);
