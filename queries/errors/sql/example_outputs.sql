-- example_outputs: one row per output asked for: its texts, and the words of its reference with what became of their edges.
-- The reference is in the form that surface metrics compare the submission with; outputs compared with text have others.
-- That ids lie between two, unlike that a list contains them, reaches the tables beneath a view's groups.
WITH asked AS (
    SELECT unnest($submissions) AS submission_id, unnest($sentence_nos) AS sentence_no
),
wanted AS (
    SELECT asked.submission_id, asked.sentence_no, treebank_id, reference_form
    FROM asked
    JOIN submission USING (submission_id)
),
wanted_edge AS (
    SELECT treebank_id, sentence_no, token_no, head_token_no, lemma, head_lemma
    FROM reference_edge
    SEMI JOIN wanted USING (treebank_id, sentence_no)
),
reference_word AS (
    SELECT
        treebank_id,
        sentence_no,
        list(
            {
                'token_no': token_no, 'form': form, 'lemma': token.lemma, 'upos': token.upos,
                'xpos': xpos,
                'deprel': token.deprel, 'head': head_token_no,
                'edge_lemma': wanted_edge.lemma, 'head_lemma': head_lemma,
                'is_punctuation': is_punctuation(token.deprel, token.upos, form)
            } ORDER BY token_no
        ) AS words
    FROM token
    LEFT JOIN wanted_edge USING (treebank_id, sentence_no, token_no)
    SEMI JOIN wanted USING (treebank_id, sentence_no)
    GROUP BY treebank_id, sentence_no
),
other_reference AS (
    SELECT treebank_id, sentence_no, list(text ORDER BY reference_name) AS texts
    FROM alternative_reference
    SEMI JOIN wanted USING (treebank_id, sentence_no)
    GROUP BY treebank_id, sentence_no
),
output_word AS (
    SELECT
        submission_id,
        sentence_no,
        forms,
        list_transform(
            forms,
            lambda form, place: lower(coalesce(nullif(lemmas[place], ''), form))
        ) AS lemmas
    FROM output_words
    SEMI JOIN wanted USING (submission_id, sentence_no)
    WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
        AND list_contains($submissions, submission_id)
),
outcome AS (
    SELECT submission_id, sentence_no, found
    FROM edge_outcome
    SEMI JOIN (FROM current_scoring WHERE metric = 'dea') AS scoring
        USING (submission_id, signature_id)
    WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
        AND list_contains($submissions, submission_id)
)
SELECT
    submission_id,
    sentence_no,
    sentence.sent_id,
    CASE reference_form WHEN 'tokens' THEN sentence.forms_text ELSE sentence.text END AS reference,
    CASE WHEN reference_form = 'text' THEN coalesce(other_reference.texts, []) ELSE [] END AS others,
    output.text AS output,
    list_transform(
        coalesce(reference_word.words, []),
        lambda word: struct_insert(
            word,
            both_there := coalesce(
                list_contains(output_word.lemmas, word.edge_lemma)
                AND len(list_filter(output_word.lemmas, lambda lemma: lemma = word.head_lemma))
                    > (word.edge_lemma = word.head_lemma)::INTEGER,
                false
            )
        )
    ) AS words,
    coalesce(output_word.forms, []) AS output_words,
    reference_edges.token_nos AS edges,
    outcome.found
FROM wanted
JOIN sentence USING (treebank_id, sentence_no)
JOIN output USING (submission_id, sentence_no)
LEFT JOIN reference_word USING (treebank_id, sentence_no)
LEFT JOIN other_reference USING (treebank_id, sentence_no)
LEFT JOIN output_word USING (submission_id, sentence_no)
LEFT JOIN reference_edges USING (treebank_id, sentence_no)
LEFT JOIN outcome USING (submission_id, sentence_no);
