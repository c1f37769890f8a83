-- grammar_verdicts: one row per rule at hand, and features of two words as they occur: whether they break the rule.
-- Two sets of values clash where they share none; a word without the feature breaks nothing.
-- A rule applies to the types of dependencies that it covers, where its conditions hold.
CREATE OR REPLACE TEMP TABLE grammar_verdict AS
WITH occurring AS (
    SELECT DISTINCT
        deprel, dependent_upos, head_upos, dependent_feats, head_feats, facts,
        token_no < head AS before
    FROM grammar_dependency
),
conditioned AS (
    SELECT
        *,
        list_filter(conditions, lambda condition: NOT starts_with(condition, 'not ')) AS required,
        list_filter(conditions, lambda condition: starts_with(condition, 'not ')) AS excluded
    FROM rule_at_hand
),
covering AS (
    SELECT
        type.*, rule, kind, feature, bearer, allowed_values,
        flatten(list_transform(required, lambda condition: string_split(condition, ' & '))) AS required,
        list_transform(excluded, lambda condition: string_split(substr(condition, 5), ' & ')) AS excluded
    FROM (SELECT DISTINCT deprel, dependent_upos, head_upos FROM grammar_dependency) AS type
    JOIN conditioned AS rule
        ON type.deprel GLOB rule.deprel
        AND upos_covers(rule.dependent_upos, type.dependent_upos)
        AND upos_covers(rule.head_upos, type.head_upos)
        AND (type.head_upos <> '' OR bearer = 'dependent')
),
valued AS (
    SELECT
        occurring.*,
        rule.rule, rule.kind, rule.bearer, rule.allowed_values,
        string_split(nullif(regexp_extract(
            dependent_feats, '(?:^|\|)' || regexp_escape(feature) || '=([^|]*)', 1
        ), ''), ',') AS dependent_values,
        string_split(nullif(regexp_extract(
            head_feats, '(?:^|\|)' || regexp_escape(feature) || '=([^|]*)', 1
        ), ''), ',') AS head_values
    FROM occurring
    JOIN covering AS rule USING (deprel, dependent_upos, head_upos)
    WHERE required IS NULL OR (
        list_has_all(facts, required)
        AND len(list_filter(excluded, lambda tests: list_has_all(facts, tests))) = 0
    )
)
SELECT
    rule, deprel, dependent_upos, head_upos, dependent_feats, head_feats, facts, before,
    CASE
        WHEN kind = 'word_order' THEN true
        WHEN bearer = 'dependent' THEN dependent_values IS NOT NULL
        WHEN bearer = 'head' THEN head_values IS NOT NULL
        ELSE dependent_values IS NOT NULL AND head_values IS NOT NULL
    END AS bearing,
    coalesce(
        CASE
            WHEN kind = 'word_order'
                THEN NOT list_contains(allowed_values, if(before, 'before', 'after'))
            WHEN bearer = 'dependent' THEN NOT list_has_any(dependent_values, allowed_values)
            WHEN bearer = 'head' THEN NOT list_has_any(head_values, allowed_values)
            ELSE NOT list_has_any(dependent_values, head_values)
        END,
        false
    ) AS violated
FROM valued;
