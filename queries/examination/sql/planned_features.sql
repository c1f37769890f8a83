-- planned_features: one row per sentence of a treebank ($treebank) and feature: a subtree pattern it has, or a fifth of the sentences by complexity.
WITH measured AS (
    UNPIVOT (
        SELECT
            sentence_no,
            ntile(5) OVER (ORDER BY depth, sentence_no)  AS depth,
            ntile(5) OVER (ORDER BY length, sentence_no) AS length,
            ntile(5) OVER (ORDER BY mdd, sentence_no)    AS mdd,
            if(projective, 0, 1)::BIGINT                 AS crossing
        FROM sentence_complexity
        WHERE treebank_id = $treebank AND convention = 'standard'
    )
    ON depth, length, mdd, crossing
    INTO NAME measure VALUE bucket
)
SELECT sentence_no, measure || ' ' || bucket AS feature FROM measured
UNION ALL
SELECT unnest(sentence_nos), labels || ' ' || pattern FROM subtree WHERE treebank_id = $treebank
ORDER BY feature, sentence_no;
