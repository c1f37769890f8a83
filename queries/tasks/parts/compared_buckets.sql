-- compared_buckets: one row for what training files hold of a treebank and one for the rest, where they were looked through.
    SELECT * FROM (
        WITH newest AS (
            SELECT substr(target, length($treebank) + 2) AS training
            FROM ingestion
            WHERE kind = 'overlap' AND starts_with(target, $treebank || ' ')
            ORDER BY revision DESC
            LIMIT 1
        ),
        overlap AS (
            SELECT sentence_no, CASE WHEN bool_or(overlapping) THEN 1 ELSE 2 END AS part
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
        SELECT 'training overlap', part, NULL, NULL, sentence_nos
        FROM apart
    )
