-- extract_word_order: one row per dependency type whose dependent stands nearly always on one side of its head.
-- A dependency's facts become conditions; what general_rule demands without them is left out.
WITH placed AS (
    SELECT
        deprel, dependent_upos, head_upos, facts,
        count(*) AS support,
        count(*) FILTER (WHERE token_no < head) / count(*) AS before
    FROM grammar_dependency
    GROUP BY ALL
)
SELECT
    'word_order' AS kind, deprel, dependent_upos, head_upos, 'order' AS feature,
    NULL::VARCHAR AS bearer,
    [CASE WHEN before >= 0.5 THEN 'before' ELSE 'after' END] AS allowed_values,
    nullif(facts, []) AS conditions,
    support, greatest(before, 1 - before) AS strength
FROM placed
ANTI JOIN (FROM general_rule WHERE kind = 'word_order')
    USING (deprel, dependent_upos, head_upos)
WHERE support > $minimum_support AND strength >= $minimum_share
ORDER BY support DESC, deprel, dependent_upos, head_upos, facts;
