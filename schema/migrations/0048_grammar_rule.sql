-- grammar_rule: one row per rule of a rule set: what a word, or two linked words, must be like.
CREATE TABLE grammar_rule (
    rule_set_id     VARCHAR NOT NULL,  -- the rule set
    rule            VARCHAR NOT NULL,  -- deprel-dependent_upos-head_upos:feature, with @bearer where one of the two bears it
    kind            VARCHAR NOT NULL,  -- agreement, argument_structure or word_order
    deprel          VARCHAR NOT NULL,  -- dependency relation with its subtype
    dependent_upos  VARCHAR NOT NULL,  -- part of speech of the dependent
    head_upos       VARCHAR NOT NULL,  -- part of speech of the head
    feature         VARCHAR NOT NULL,  -- morphological feature; order for a word order rule
    bearer          VARCHAR,           -- whose feature is prescribed: dependent or head; NULL where both must agree
    allowed_values  VARCHAR[],         -- the values allowed, in order; NULL where both must agree
    support         INTEGER,           -- links it was learned from
    strength        DOUBLE,            -- share of them that agree, divergence in nats, or share in that order
    annotation      VARCHAR,           -- a linguist's view: always, sometimes or need_not
    note            VARCHAR            -- free text
);
