-- correlated_measures: one row per submission at hand and measure: its values, and the sentences they are of.
-- Metrics come first, then human criteria, then complexity. Metrics derived from another one's
-- counts ($derived) say the same as that one: they are left out.
WITH complexity AS (
    FROM (
        SELECT
            submission_id, sentence_no,
            depth::DOUBLE AS depth, length::DOUBLE AS length, mdd, mfs, mfw, arity
        FROM sentence_complexity
        JOIN pending_analysis USING (treebank_id)
        WHERE convention = $convention
    )
    UNPIVOT INCLUDE NULLS (value FOR measure IN (depth, length, mdd, mfs, mfw, arity))
),
measured AS (
    SELECT
        submission_id, measure, sentence_no, score AS value,
        (measure NOT IN (SELECT metric FROM signature))::BIGINT AS place
    FROM analysed_score
    WHERE NOT list_contains($derived, measure)
    UNION ALL
    SELECT
        submission_id, measure, sentence_no, value,
        1 + list_position(['depth', 'length', 'mdd', 'mfs', 'mfw', 'arity'], measure)
    FROM complexity
)
SELECT
    submission_id, measure,
    coalesce(list(sentence_no ORDER BY sentence_no) FILTER (WHERE value IS NOT NULL), [])
        AS sentence_nos,
    coalesce(list(value ORDER BY sentence_no) FILTER (WHERE value IS NOT NULL), []) AS values
FROM measured
GROUP BY submission_id, place, measure
ORDER BY submission_id, place, measure;
