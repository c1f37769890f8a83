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
rule AS (
    SELECT
        target.place, rule.rule,
        row_number() OVER (PARTITION BY target.place ORDER BY rule.rule) AS rule_no
    FROM target
    JOIN grammar_rule AS rule
        ON rule.rule_set_id = target.rule_set_id
        AND (target.kind IS NULL OR rule.kind = target.kind)
),
counted AS (
    SELECT
        target.place, sentence_no, rule_no, violated,
        CASE target.applicable WHEN 'links' THEN links ELSE bearing END AS applicable
    FROM target
    JOIN rule_check
        ON rule_check.signature_id = target.checks
        AND rule_check.submission_id = target.submission_id
    JOIN rule
        ON rule.place = target.place
        AND rule.rule = rule_check.rule
),
-- An output is checked by few of the rules.
checked AS (
    SELECT
        place, sentence_no,
        map(list(rule_no), list([applicable - violated, applicable])) AS counts
    FROM counted
    GROUP BY place, sentence_no
),
rule_list AS (
    SELECT place, list(rule_no ORDER BY rule_no) AS rule_nos
    FROM rule
    GROUP BY place
)
SELECT
    place,
    sentence_no,
    flatten(
        list_transform(rule_nos, lambda rule_no: coalesce(counts[rule_no], [0, 0]))
    )::DOUBLE[] AS statistics
FROM target
JOIN rule_list USING (place)
JOIN output USING (submission_id)
LEFT JOIN checked USING (place, sentence_no)
ORDER BY place, sentence_no;
