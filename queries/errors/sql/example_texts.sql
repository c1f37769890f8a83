-- example_texts: one row per output asked for: both texts and their analysed words, in order.
-- The reference is in the form that surface metrics compare the submission with.
WITH reference_word AS (
    SELECT sentence_no, list(form ORDER BY token_no) AS forms
    FROM submission
    JOIN token USING (treebank_id)
    WHERE submission_id = $submission_id AND list_contains($sentence_nos, sentence_no)
    GROUP BY sentence_no
),
output_word AS (
    SELECT sentence_no, list(form ORDER BY token_no) AS forms
    FROM output_token
    WHERE submission_id = $submission_id AND list_contains($sentence_nos, sentence_no)
    GROUP BY sentence_no
)
SELECT
    sentence_no,
    sentence.sent_id,
    CASE submission.reference_form WHEN 'tokens' THEN sentence.forms_text ELSE sentence.text END
        AS reference,
    output.text AS output,
    list_filter(coalesce(reference_word.forms, []), lambda form: form IS NOT NULL) AS reference_words,
    coalesce(output_word.forms, []) AS output_words
FROM submission
JOIN output USING (submission_id)
JOIN sentence USING (treebank_id, sentence_no)
LEFT JOIN reference_word USING (sentence_no)
LEFT JOIN output_word USING (sentence_no)
WHERE submission_id = $submission_id AND list_contains($sentence_nos, sentence_no)
ORDER BY sentence_no;
