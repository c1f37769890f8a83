-- extract_argument_structure: one row per dependency type, feature and end of the dependency whose values the construction prescribes.
-- Pratapa et al. 2021, section 3.2: the values' distribution there against that of the part of speech.
-- A dependency's facts become conditions; what general_rule demands without them is left out.
WITH link_end AS (
    SELECT target, sentence_no, token_no, 'dependent' AS bearer, deprel, dependent_upos, head_upos, facts
    FROM grammar_dependency
    UNION ALL
    SELECT target, sentence_no, head, 'head', deprel, dependent_upos, head_upos, facts
    FROM grammar_dependency
),
wanted AS (
    FROM grammar_feature WHERE list_contains($features, feature)
),
everywhere AS (
    SELECT upos, feature, value, count(*) / sum(count(*)) OVER (PARTITION BY upos, feature) AS share
    FROM wanted
    GROUP BY upos, feature, value
),
here AS (
    SELECT
        deprel, dependent_upos, head_upos, facts, bearer, upos, feature, value,
        count(*) AS words,
        sum(count(*)) OVER (
            PARTITION BY deprel, dependent_upos, head_upos, facts, bearer, feature
        ) AS support
    FROM link_end
    JOIN wanted USING (target, sentence_no, token_no)
    GROUP BY deprel, dependent_upos, head_upos, facts, bearer, upos, feature, value
),
learned AS (
    SELECT
        'argument_structure' AS kind, deprel, dependent_upos, head_upos, feature, bearer,
        list_sort(list_distinct(flatten(
            list(string_split(value, ',')) FILTER (
                WHERE if($as_scripts, printf('%.3f', words / support)::DOUBLE, words / support)
                    >= $minimum_value_share
            )
        ))) AS allowed_values,
        nullif(facts, []) AS conditions,
        support::INTEGER AS support,
        sum(words / support * ln(words / support / share) ORDER BY value) AS strength
    FROM here
    JOIN everywhere USING (upos, feature, value)
    WHERE support >= $minimum_support
    GROUP BY deprel, dependent_upos, head_upos, facts, bearer, feature, support
    HAVING if($as_scripts, printf('%.4f', strength)::DOUBLE, strength) >= $minimum_divergence AND len(allowed_values) > 0
)
FROM learned
ANTI JOIN general_rule USING (kind, deprel, dependent_upos, head_upos, feature, bearer, allowed_values)
ORDER BY support DESC, deprel, dependent_upos, head_upos, feature, bearer, conditions;
