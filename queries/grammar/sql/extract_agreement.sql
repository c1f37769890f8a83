-- extract_agreement: one row per dependency type and feature whose values agree: the most frequent ones.
-- Pratapa et al. 2021, section 3.1. The rule that passes the wanted coverage is the last one kept.
-- A dependency's facts become conditions; what general_rule demands without them is left out.
WITH link_type AS (
    SELECT deprel, dependent_upos, head_upos, facts, min(row(sentence_no, token_no)) AS first_link
    FROM grammar_dependency
    GROUP BY ALL
),
shared AS (
    SELECT
        deprel, dependent_upos, head_upos, facts, dependent.feature,
        count(*) AS support,
        count(*) FILTER (WHERE dependent.value = head.value) / count(*) AS strength
    FROM grammar_dependency AS dependency
    JOIN grammar_feature AS dependent USING (target, sentence_no, token_no)
    JOIN grammar_feature AS head
        ON head.target = dependency.target
        AND head.sentence_no = dependency.sentence_no
        AND head.token_no = dependency.head
        AND head.feature = dependent.feature
    GROUP BY ALL
),
agreeing AS (
    SELECT
        shared.*,
        sum(support) OVER () AS instances,
        coalesce(sum(support) OVER (
            ORDER BY
                support DESC,
                if($as_scripts, first_link, NULL), if($as_scripts, -strength, NULL),
                deprel, dependent_upos, head_upos, feature, facts
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS instances_before
    FROM shared
    JOIN link_type USING (deprel, dependent_upos, head_upos, facts)
    ANTI JOIN (FROM general_rule WHERE kind = 'agreement')
        USING (deprel, dependent_upos, head_upos, feature)
    WHERE support > $minimum_support
        AND if($as_scripts, strength > $minimum_share, strength >= $minimum_share)
)
SELECT
    'agreement' AS kind, deprel, dependent_upos, head_upos, feature,
    NULL::VARCHAR AS bearer, NULL::VARCHAR[] AS allowed_values,
    nullif(facts, []) AS conditions, support, strength
FROM agreeing
WHERE instances_before <= $coverage * instances
ORDER BY support DESC, deprel, dependent_upos, head_upos, feature, facts;
