-- meaning_reference_pairs: one row per reference sentence: its number, the graph a parser makes of it and the gold graph.
SELECT sentence_no, parsed.penman, gold_graph.penman
FROM reference_graph AS parsed
JOIN gold_graph USING (treebank_id, sentence_no)
WHERE treebank_id = $treebank_id AND parser = $parser AND gold_graph.penman IS NOT NULL
ORDER BY sentence_no;
