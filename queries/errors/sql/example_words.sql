-- example_words: one row per word of the references asked for, punctuation stripped, and its edge.
WITH output_lemma AS (
    SELECT sentence_no, lemma, count(*) AS times
    FROM (
        SELECT
            sentence_no,
            unnest(list_transform(
                forms, lambda form, place: lower(coalesce(nullif(lemmas[place], ''), form))
            )) AS lemma
        FROM output_words
        WHERE submission_id = $submission_id AND list_contains($sentence_nos, sentence_no)
    ) AS word
    GROUP BY sentence_no, lemma
)
SELECT
    sentence_no,
    token_no,
    token.form,
    token.lemma,
    token.upos,
    token.xpos,
    token.deprel,
    reference_edge.head_token_no AS head,
    edge.found::BOOLEAN AS found,
    coalesce(NOT edge.found AND above.times > (own.lemma = above.lemma)::INTEGER, false)
        AS misplaced
FROM submission
JOIN token USING (treebank_id)
LEFT JOIN reference_edge USING (treebank_id, sentence_no, token_no)
LEFT JOIN (
    SELECT sentence_no, unnest(token_nos) AS token_no, unnest(found) AS found
    FROM edge_outcome
    SEMI JOIN (FROM current_scoring WHERE metric = 'dea') AS scoring
        USING (submission_id, signature_id)
    JOIN submission USING (submission_id)
    JOIN reference_edges USING (treebank_id, sentence_no)
    WHERE submission_id = $submission_id AND list_contains($sentence_nos, sentence_no)
) AS edge USING (sentence_no, token_no)
LEFT JOIN output_lemma AS own
    ON own.sentence_no = reference_edge.sentence_no AND own.lemma = reference_edge.lemma
LEFT JOIN output_lemma AS above
    ON above.sentence_no = reference_edge.sentence_no AND above.lemma = reference_edge.head_lemma
WHERE submission_id = $submission_id
    AND list_contains($sentence_nos, sentence_no)
    AND NOT is_punctuation(token.deprel, token.upos, form)
ORDER BY sentence_no, token_no;
