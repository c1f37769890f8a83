-- meaning_pairs: one row per sentence of a submission that is not left out: its number, the graph of the output and the gold graph.
SELECT sentence_no, parsed.penman, gold_graph.penman
FROM output_graph AS parsed
JOIN submission USING (submission_id)
JOIN gold_graph USING (treebank_id, sentence_no)
WHERE submission_id = $submission_id AND parser = $parser
    AND gold_graph.penman IS NOT NULL
    AND NOT list_contains($left_out::INTEGER[], sentence_no)
ORDER BY sentence_no;

-- meaning_reference_pairs: one row per reference sentence: its number, the graph a parser makes of it and the gold graph.
SELECT sentence_no, parsed.penman, gold_graph.penman
FROM reference_graph AS parsed
JOIN gold_graph USING (treebank_id, sentence_no)
WHERE treebank_id = $treebank_id AND parser = $parser AND gold_graph.penman IS NOT NULL
ORDER BY sentence_no;

-- graph_of_sentence: one row: whether the graph of an output was compared.
SELECT EXISTS (
    FROM graph_match
    WHERE submission_id = $submission AND sentence_no = $sentence_no
) AS has_graph;
