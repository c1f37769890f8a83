-- compared_measures: one row per measure that one of two submissions has, without patterns and scores by label unless they are asked for.
-- $measures: their names, NULL for all; $parts: whether parts of metrics (relations, rules, aspects) are among all.
SELECT
    measure,
    any_value(kind)                                      AS kind,
    any_value(item)                                      AS item,
    any_value(better)                                    AS better,
    max(score) FILTER (WHERE submission_id = $new)       AS new,
    max(score) FILTER (WHERE submission_id = $base)      AS base,
    coalesce(max(n) FILTER (WHERE submission_id = $new), 0) AS n,
    count(DISTINCT submission_id)                        AS submissions
FROM submission_measures
WHERE submission_id IN ($new, $base)
    AND CASE
        WHEN $measures IS NOT NULL THEN list_contains($measures, measure)
        ELSE kind IN ('metric', 'human', 'errors') OR $parts AND kind NOT IN ('pattern', 'slice')
    END
GROUP BY measure
ORDER BY any_value(kind), measure;
