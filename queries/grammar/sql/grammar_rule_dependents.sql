-- grammar_rule_dependents: one row per word that can be the dependent of what a rule at hand is about.
CREATE OR REPLACE TEMP VIEW grammar_dependent AS
FROM grammar_word
SEMI JOIN (SELECT deprel, dependent_upos AS upos FROM rule_at_hand) USING (deprel, upos);
