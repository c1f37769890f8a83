-- compared_buckets: one row per feature and bucket: what it holds, and the sentences of a treebank in it.
-- Length and depth in three parts about as large, words and edges without punctuation; and projectivity.
WITH complexity AS (
    SELECT sentence_no, length, depth, projective
    FROM sentence_complexity
    WHERE treebank_id = $treebank AND convention = 'standard'
),
counted AS (
    UNPIVOT (SELECT sentence_no, length, depth FROM complexity)
    ON length, depth INTO NAME feature VALUE counted
),
bounded AS (
    SELECT
        *,
        quantile_disc(counted, 1 / 3) OVER (PARTITION BY feature) AS low,
        quantile_disc(counted, 2 / 3) OVER (PARTITION BY feature) AS high
    FROM counted
),
bucketed AS (
    SELECT
        feature,
        CASE WHEN counted <= low THEN 1 WHEN counted <= high THEN 2 ELSE 3 END AS part,
        counted,
        sentence_no
    FROM bounded
    UNION ALL
    SELECT 'projectivity', CASE WHEN projective THEN 1 ELSE 2 END, NULL, sentence_no
    FROM complexity
    WHERE projective IS NOT NULL
)
SELECT
    feature,
    part,
    min(counted) AS low,
    max(counted) AS high,
    list(sentence_no ORDER BY sentence_no) AS sentence_nos
FROM bucketed
GROUP BY feature, part
ORDER BY feature <> 'length', feature <> 'depth', part;
