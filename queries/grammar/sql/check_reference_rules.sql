-- check_reference_rules: counts of each reference sentence at hand and rule that has a dependency to apply to.
INSERT INTO reference_rule_check
SELECT
    signature_id,
    target AS treebank_id,
    sentence_no,
    rule,
    count(*) AS links,
    count_if(bearing) AS bearing,
    count_if(violated) AS violated
FROM checked_dependency
JOIN grammar_target USING (target)
GROUP BY signature_id, target, sentence_no, rule;
