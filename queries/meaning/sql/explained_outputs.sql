-- explained_outputs: one row per submission and sentence with a gold graph: both graphs, what they share, and whether the output is accepted.
SELECT
    output.submission_id,
    output.sentence_no,
    sentence.sent_id,
    sentence.text AS reference,
    output.text AS output,
    gold_graph.penman AS gold_graph,
    output_graph.penman AS output_graph,
    output_graph.quality,
    output_graph.flag,
    graph_match.status,
    graph_overlap('smatch', matched, output_triples, gold_triples) AS f1,
    graph_overlap('smatch_precision', matched, output_triples, gold_triples) AS precision,
    graph_overlap('smatch_recall', matched, output_triples, gold_triples) AS recall,
    form.score AS form
FROM output
JOIN submission USING (submission_id)
JOIN sentence USING (treebank_id, sentence_no)
JOIN gold_graph USING (treebank_id, sentence_no)
JOIN graph_match
    ON graph_match.signature_id = $signature
    AND graph_match.submission_id = output.submission_id
    AND graph_match.sentence_no = output.sentence_no
    AND aspect = 'all'
LEFT JOIN output_graph
    ON output_graph.submission_id = output.submission_id
    AND output_graph.sentence_no = output.sentence_no
    AND output_graph.parser = $parser
LEFT JOIN sentence_score AS form
    ON form.signature_id = $form_signature
    AND form.submission_id = output.submission_id
    AND form.sentence_no = output.sentence_no
WHERE list_contains($submissions::VARCHAR[], output.submission_id)
ORDER BY output.sentence_no, output.submission_id;
