-- pratapa2021_table_1: one row per language and kind of rules that linguists looked at: what they found of them.
SELECT
    language,
    CASE kind WHEN 'argument_structure' THEN 'case' ELSE kind END AS kind,
    count(*) FILTER (WHERE annotation = 'always') AS always,
    count(*) FILTER (WHERE annotation = 'sometimes') AS sometimes,
    count(*) FILTER (WHERE annotation = 'need_not') AS need_not,
    name AS rule_set
FROM newest_grammar_rules
WHERE annotation IS NOT NULL
GROUP BY language, name, newest_grammar_rules.kind
ORDER BY language, name, kind;

-- pratapa2021_table_8: one row per rule set that was learned from a treebank: its rules by kind.
WITH learned AS (
    FROM rule_set_versions
    WHERE source = treebank_id
    QUALIFY version = max(version) OVER (PARTITION BY name)
)
SELECT
    test_set_name(treebank.language, treebank.corpus, NULL) AS treebank,
    learned.agreement_rules AS agreement,
    learned.argument_rules AS argument_structure,
    learned.name AS rule_set,
    learned.scheme,
    treebank.version
FROM learned
LEFT JOIN treebank USING (treebank_id)
ORDER BY treebank, rule_set;

-- pratapa2021_figure_2: one row per rule about a word's feature and value: how often there and everywhere.
SELECT * FROM grammar_rule_values;
