-- grammar_verdicts: one row per rule at hand, and features of two words as they occur: whether they break the rule.
-- Two sets of values clash where they share none; a word without the feature breaks nothing.
CREATE OR REPLACE TEMP TABLE grammar_verdict AS
WITH occurring AS (
    SELECT DISTINCT
        deprel, dependent_upos, head_upos, dependent_feats, head_feats, token_no < head AS before
    FROM grammar_dependency
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
    JOIN rule_at_hand AS rule USING (deprel, dependent_upos, head_upos)
)
SELECT
    rule, deprel, dependent_upos, head_upos, dependent_feats, head_feats, before,
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
