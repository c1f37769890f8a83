-- incorrect_scores: one row at most: a score or a statistic that is not finite, or beyond what its metric says.
-- $submissions, $signatures, $lowest and $highest: what was scored just now, in the same order; NULL where there is no limit.
WITH scored AS (
    SELECT
        unnest($submissions) AS submission_id,
        unnest($signatures) AS signature_id,
        unnest($lowest::DOUBLE[]) AS lowest,
        unnest($highest::DOUBLE[]) AS highest
),
value AS (
    SELECT submission_id, signature_id, metric, sentence_no, score AS value, true AS is_score
    FROM sentence_score
    SEMI JOIN scored USING (submission_id, signature_id)
    UNION ALL
    SELECT submission_id, signature_id, metric, NULL, score, true
    FROM submission_score
    SEMI JOIN scored USING (submission_id, signature_id)
    UNION ALL
    SELECT submission_id, signature_id, signature.metric, sentence_no, unnest(statistics), false
    FROM statistic_match
    JOIN signature USING (signature_id)
    SEMI JOIN scored USING (submission_id, signature_id)
    UNION ALL
    SELECT submission_id, signature_id, signature.metric, sentence_no, unnest(statistics), false
    FROM part_match
    JOIN signature USING (signature_id)
    SEMI JOIN scored USING (submission_id, signature_id)
)
SELECT submission_id, metric, sentence_no, value
FROM value
JOIN scored USING (submission_id, signature_id)
WHERE value IS NOT NULL
    AND (NOT isfinite(value) OR is_score AND (value < lowest - 1e-9 OR value > highest + 1e-9))
ORDER BY submission_id, metric, sentence_no NULLS LAST
LIMIT 1;
