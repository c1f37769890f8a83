-- rule_set_versions: one row per version of a rule set: where it comes from, and how linguists see its rules.
-- grain: rule_set_id
-- group: grammar and meaning
-- formerly: rule_sets
-- The counts of views are Table 1 of Pratapa et al. 2021.
CREATE OR REPLACE VIEW rule_set_versions AS
SELECT
    rule_set_id,                                                                     -- the rule set
    name,                                                                            -- what its versions share
    version,                                                                         -- 1, then increasing
    parent_rule_set_id,                                                              -- the version it was edited from
    language,                                                                        -- its language
    scheme,                                                                          -- annotation scheme: ud or sud
    treebank_id,                                                                     -- the treebank it was learned from
    count(*) FILTER (WHERE kind = 'agreement')           AS agreement_rules,         -- rules of agreement
    count(*) FILTER (WHERE kind = 'argument_structure')  AS argument_rules,          -- rules of case assignment and verb form choice
    count(*) FILTER (WHERE kind = 'word_order')          AS order_rules,             -- rules of word order
    count(*) FILTER (WHERE annotation = 'always')        AS always,                  -- rules that linguists find almost always true
    count(*) FILTER (WHERE annotation = 'sometimes')     AS sometimes,               -- sometimes true
    count(*) FILTER (WHERE annotation = 'need_not')      AS need_not,                -- need not be true
    source,                                                                          -- the treebank, or name of the file
    created_at                                                                       -- when
FROM rule_set
JOIN grammar_rule USING (rule_set_id)
GROUP BY ALL
ORDER BY name, version;
