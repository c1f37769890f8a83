ALTER TABLE grammar_rule ADD COLUMN conditions VARCHAR[];
COMMENT ON COLUMN grammar_rule.conditions IS 'what must hold of a link besides, such as head.lemma=auf or not near.upos=PUNCT; NULL: nothing';
COMMENT ON COLUMN grammar_rule.rule IS 'deprel-dependent_upos-head_upos:feature, with @bearer where one of the two bears it, and its conditions after if';
COMMENT ON COLUMN grammar_rule.deprel IS 'dependency relation with its subtype; * stands for any letters';
COMMENT ON COLUMN grammar_rule.dependent_upos IS 'part of speech of the dependent, several between slashes; *: any';
COMMENT ON COLUMN grammar_rule.head_upos IS 'part of speech of the head, several between slashes; *: any, or no head';
