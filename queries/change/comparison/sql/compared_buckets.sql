-- compared_buckets: one row per feature and bucket of a treebank: what it holds, and the sentences in it.
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
    -- themes add rows here
)
ORDER BY feature = 'training overlap', feature <> 'length', feature <> 'depth', part;
