-- grammar_kept_rules: one row per rule at hand: how often the checked submission and its references keep it, worst first.
WITH counted AS (
    SELECT
        rule,
        if($applicable = 'links', count(*), count_if(bearing)) AS applicable,
        count_if(violated) AS violated
    FROM checked_dependency
    GROUP BY rule
),
of_references AS (
    SELECT
        rule,
        1 - sum(violated) / nullif(sum(if($applicable = 'links', links, bearing)), 0) AS satisfied
    FROM reference_rule_check
    WHERE signature_id = (
        SELECT max(signature_id)
        FROM reference_rule_check AS checked
        JOIN signature USING (signature_id)
        WHERE checked.treebank_id = $treebank
            AND (parameters ->> '$.rules') = $rule_set
            AND (parameters ->> '$.applicable') = $applicable
    )
    GROUP BY rule
)
SELECT
    rule, kind, deprel, dependent_upos, head_upos, feature, bearer, allowed_values, conditions,
    annotation, note,
    coalesce(applicable, 0)::INTEGER AS applicable,
    coalesce(violated, 0)::INTEGER AS violated,
    1 - violated / nullif(applicable, 0) AS satisfied,
    of_references.satisfied AS reference_satisfied,
    violated / nullif(applicable, 0) / count(*) FILTER (WHERE applicable > 0) OVER () AS cost
FROM rule_at_hand
LEFT JOIN counted USING (rule)
LEFT JOIN of_references USING (rule)
ORDER BY satisfied NULLS LAST, violated DESC, rule;
