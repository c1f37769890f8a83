-- lemma_matches: one row per text, of a reference or of an output, that has a lemma, references first.
SELECT treebank_id, sentence_no, NULL AS submission_id, sentence.text
FROM reference_lemmas
JOIN sentence USING (treebank_id, sentence_no)
WHERE list_contains(reference_lemmas.lemmas, lower($words))
UNION ALL
SELECT treebank_id, sentence_no, submission_id, output.text
FROM (
    SELECT submission_id, sentence_no
    FROM output_words
    WHERE CASE  -- unlike OR and AND it leaves out what need not be looked at
        WHEN list_contains(lemmas, $words) THEN true
        WHEN list_contains(forms, $words) THEN list_contains(list_transform(
            forms, lambda form, place: coalesce(nullif(lemmas[place], ''), form)
        ), $words)
        ELSE false
    END
    ORDER BY submission_id, sentence_no
    LIMIT $rows
) AS found
JOIN output USING (submission_id, sentence_no)
JOIN submission USING (submission_id)
ORDER BY submission_id NULLS FIRST, treebank_id, sentence_no
LIMIT $rows;
