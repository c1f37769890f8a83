-- compared_aspects: one row per sentence and aspect of meaning: triples matched, triples of the output's graph and of the gold graph.
SELECT
    aspect AS item,
    sentence_no,
    [matched, output_triples, gold_triples]::DOUBLE[] AS statistics
FROM graph_match
WHERE submission_id = $submission_id
    AND signature_id = $signature_id
    AND aspect <> 'all'
    AND output_triples + gold_triples > 0
ORDER BY aspect, sentence_no;
