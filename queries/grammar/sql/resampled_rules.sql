-- resampled_rules: one row per output: links that satisfy a rule and links it applies to, for each rule of the metric.
WITH target AS (
    SELECT
        place,
        submission_id,
        parameters ->> '$.rules' AS rule_set_id,
        parameters ->> '$.applicable' AS applicable,
        coalesce(parameters ->> '$.checks', signature_id) AS checks,
        CASE metric
            WHEN 'grammar_agreement' THEN 'agreement'
            WHEN 'grammar_argument' THEN 'argument_structure'
            WHEN 'grammar_order' THEN 'word_order'
        END AS kind
    FROM resampled
    JOIN signature USING (signature_id)
),
counted AS (
    SELECT
        target.place, output.sentence_no, rule.rule,
        coalesce(if(target.applicable = 'links', links, bearing), 0) AS applicable,
        coalesce(violated, 0) AS violated
    FROM target
    JOIN output USING (submission_id)
    JOIN grammar_rule AS rule
        ON rule.rule_set_id = target.rule_set_id
        AND (target.kind IS NULL OR rule.kind = target.kind)
    LEFT JOIN rule_check
        ON rule_check.signature_id = target.checks
        AND rule_check.submission_id = output.submission_id
        AND rule_check.sentence_no = output.sentence_no
        AND rule_check.rule = rule.rule
)
SELECT
    place,
    sentence_no,
    flatten(list([applicable - violated, applicable] ORDER BY rule))::DOUBLE[] AS statistics
FROM counted
GROUP BY place, sentence_no
ORDER BY place, sentence_no;
