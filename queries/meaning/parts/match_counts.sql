-- match_counts: one row per output whose graph matches more than there is.
SELECT 'graph_match', signature_id, submission_id, sentence_no
FROM graph_match
WHERE NOT coalesce(matched BETWEEN 0 AND least(output_triples, gold_triples) + 1e-9, false)
    OR gap < 0
    OR (status = 'no graph') <> (gap IS NULL)
