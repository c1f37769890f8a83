-- extract_word_order: one row per dependency type whose dependent stands nearly always on one side of its head.
WITH placed AS (
    SELECT
        deprel, dependent_upos, head_upos,
        count(*) AS support,
        count(*) FILTER (WHERE token_no < head) / count(*) AS before
    FROM grammar_dependency
    GROUP BY ALL
)
SELECT
    'word_order' AS kind, deprel, dependent_upos, head_upos, 'order' AS feature,
    NULL::VARCHAR AS bearer,
    [CASE WHEN before >= 0.5 THEN 'before' ELSE 'after' END] AS allowed_values,
    support, greatest(before, 1 - before) AS strength
FROM placed
WHERE support > $minimum_support AND strength >= $minimum_share
ORDER BY support DESC, deprel, dependent_upos, head_upos;
