-- relation_matches: one row per text, of a reference or of a parsed output, whose tree has a dependency relation, references first.
SELECT treebank_id, sentence_no, NULL AS submission_id, text
FROM reference_edges
JOIN sentence USING (treebank_id, sentence_no)
WHERE list_contains(deprels, split_part($words, ':', 1))
UNION ALL
SELECT treebank_id, sentence_no, submission_id, output.text
FROM output_words
JOIN output USING (submission_id, sentence_no)
JOIN submission USING (submission_id)
WHERE list_contains(deprels, $words)
ORDER BY submission_id NULLS FIRST, treebank_id, sentence_no
LIMIT $rows;
