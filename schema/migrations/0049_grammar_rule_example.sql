-- grammar_rule_example: one row per rule and sentence of its treebank that shows it.
CREATE TABLE grammar_rule_example (
    rule_set_id  VARCHAR NOT NULL,  -- the rule set
    rule         VARCHAR NOT NULL,  -- the rule
    satisfied    BOOLEAN NOT NULL,  -- whether the link satisfies the rule
    example_no   INTEGER NOT NULL,  -- number of the example, from 1
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    sentence_no  INTEGER NOT NULL,  -- the sentence
    token_no     INTEGER NOT NULL   -- the dependent of the link
);
