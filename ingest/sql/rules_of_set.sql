-- rules_of_set: one row per rule of a rule set, with the language and the name of the set.
SELECT language, rule_set.name, grammar_rule.* EXCLUDE (rule_set_id)
FROM grammar_rule
JOIN rule_set USING (rule_set_id)
WHERE rule_set_id = $rule_set
ORDER BY kind, deprel, dependent_upos, head_upos, feature;
