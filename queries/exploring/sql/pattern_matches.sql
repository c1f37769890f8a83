-- pattern_matches: one row per reference sentence that contains an enumerated subtree pattern.
SELECT treebank_id, labels, sentence_no, NULL AS submission_id, text
FROM (
    SELECT treebank_id, labels, unnest(sentence_nos) AS sentence_no
    FROM subtree
    WHERE pattern = $words
) AS found
JOIN sentence USING (treebank_id, sentence_no)
ORDER BY treebank_id, labels, sentence_no
LIMIT $rows;
