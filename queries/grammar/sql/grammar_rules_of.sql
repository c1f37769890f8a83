-- grammar_rules_of: one row per rule of a rule set, kind by kind, the best supported first.
SELECT kind, rule, allowed_values, support, strength, annotation, note
FROM grammar_rule
WHERE rule_set_id = $rule_set
ORDER BY kind, support DESC NULLS LAST, rule;
