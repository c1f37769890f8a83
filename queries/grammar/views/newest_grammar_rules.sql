-- newest_grammar_rules: one row per rule of the newest version of each rule set.
-- grain: rule_set_id, rule
-- group: grammar and meaning
-- formerly: grammar_rules
CREATE OR REPLACE VIEW newest_grammar_rules AS
SELECT
    rule_set.name,                   -- the rule set
    rule_set.rule_set_id,            -- its newest version
    rule_set.language,               -- its language
    rule_set.scheme,                 -- annotation scheme of its relations: ud or sud
    grammar_rule.kind,               -- agreement, argument_structure or word_order
    grammar_rule.rule,               -- the rule's key
    grammar_rule.deprel,             -- dependency relation with its subtype; * stands for any letters
    grammar_rule.dependent_upos,     -- part of speech of the dependent, several between slashes; *: any
    grammar_rule.head_upos,          -- part of speech of the head, several between slashes; *: any, or no head
    grammar_rule.feature,            -- morphological feature; order for a word order rule
    grammar_rule.bearer,             -- whose feature is prescribed; NULL where both must agree
    grammar_rule.allowed_values,     -- the values allowed; NULL where both must agree
    grammar_rule.conditions,         -- what must hold of a link besides, such as head.lemma=auf; NULL: nothing
    grammar_rule.support,            -- links it was learned from
    grammar_rule.strength,           -- share of them that agree, divergence in nats, or share in that order
    grammar_rule.annotation,         -- a linguist's view: always, sometimes or need_not
    grammar_rule.note                -- free text
FROM grammar_rule
JOIN rule_set USING (rule_set_id)
QUALIFY rule_set.version = max(rule_set.version) OVER (PARTITION BY rule_set.name)
ORDER BY rule_set.name, grammar_rule.kind, grammar_rule.support DESC NULLS LAST, grammar_rule.rule;
