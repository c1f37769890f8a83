-- grammar_rule_examples: one row per example of a rule: the sentence, and both words with the rule's feature.
SELECT
    example.rule,
    example.satisfied,
    sentence.forms_text,
    concat_ws(' ', dependent.form, regexp_extract(
        dependent.feats, '(^|\|)(' || rule.feature || '=[^|]*)', 2
    )) AS dependent,
    concat_ws(' ', head.form, regexp_extract(
        head.feats, '(^|\|)(' || rule.feature || '=[^|]*)', 2
    )) AS head
FROM grammar_rule_example AS example
JOIN grammar_rule AS rule USING (rule_set_id, rule)
JOIN sentence USING (treebank_id, sentence_no)
JOIN token AS dependent USING (treebank_id, sentence_no, token_no)
JOIN token AS head
    ON head.treebank_id = example.treebank_id
    AND head.sentence_no = example.sentence_no
    AND head.token_no = dependent.head
WHERE rule_set_id = $rule_set_id AND example_no <= $examples
ORDER BY example.rule, example.satisfied DESC, example.example_no;
