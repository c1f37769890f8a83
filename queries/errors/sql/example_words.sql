-- example_words: one row per word of the references asked for, punctuation stripped, and its edge.
SELECT
    sentence_no,
    token_no,
    token.form,
    token.lemma,
    token.upos,
    token.xpos,
    token.deprel,
    reference_edge.head_token_no AS head,
    edge.found::BOOLEAN AS found
FROM submission
JOIN token USING (treebank_id)
LEFT JOIN reference_edge USING (treebank_id, sentence_no, token_no)
LEFT JOIN (
    SELECT sentence_no, token_no, found
    FROM edge_match
    SEMI JOIN (FROM current_scoring WHERE metric = 'dea') AS scoring
        USING (submission_id, signature_id)
    WHERE submission_id = $submission_id
) AS edge USING (sentence_no, token_no)
WHERE submission_id = $submission_id
    AND list_contains($sentence_nos, sentence_no)
    AND NOT is_punctuation(token.deprel, token.upos, form)
ORDER BY sentence_no, token_no;
