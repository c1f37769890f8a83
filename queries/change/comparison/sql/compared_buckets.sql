-- compared_buckets: one row per feature and bucket of a treebank: what it holds, and the sentences in it.
-- Where training files were looked through, what they hold and the rest are two more.
WITH newest AS (
    SELECT substr(target, length($treebank) + 2) AS training
    FROM ingestion
    WHERE kind = 'overlap' AND starts_with(target, $treebank || ' ')
    ORDER BY revision DESC
    LIMIT 1
),
overlap AS (
    SELECT sentence_no, if(bool_or(overlapping), 1, 2) AS part
    FROM training_overlap
    SEMI JOIN newest USING (training)
    WHERE treebank_id = $treebank
    GROUP BY sentence_no
),
apart AS (
    SELECT part, list(sentence_no ORDER BY sentence_no) AS sentence_nos
    FROM overlap
    GROUP BY part
    QUALIFY count(*) OVER () = 2
)
SELECT feature, part, low, high, sentence_nos
FROM (
    SELECT
        feature,
        bucket AS part,
        min(counted) AS low,
        max(counted) AS high,
        list(sentence_no ORDER BY sentence_no) AS sentence_nos
    FROM complexity_buckets
    WHERE treebank_id = $treebank
    GROUP BY feature, bucket
    UNION ALL
    SELECT 'training overlap', part, NULL, NULL, sentence_nos
    FROM apart
)
ORDER BY feature = 'training overlap', feature <> 'length', feature <> 'depth', part;
