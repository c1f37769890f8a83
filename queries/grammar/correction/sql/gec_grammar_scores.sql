-- gec_grammar_scores: one row per metric and sentence at hand to which a rule of the metric applies: mean share of dependencies that keep a rule.
WITH counted AS (
    SELECT
        sentence_no, rule,
        if($applicable = 'links', count(*), count_if(bearing)) AS applicable,
        count_if(violated) AS violated
    FROM checked_dependency
    GROUP BY sentence_no, rule
)
SELECT
    gec_metric.metric,
    sentence_no,
    avg(1 - violated / applicable ORDER BY rule) AS score
FROM counted
JOIN rule_at_hand USING (rule)
JOIN gec_metric ON gec_metric.kind IS NULL OR gec_metric.kind = rule_at_hand.kind
WHERE applicable > 0
GROUP BY gec_metric.metric, sentence_no
ORDER BY metric, sentence_no;
