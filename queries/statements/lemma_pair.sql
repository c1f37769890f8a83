-- lemma_pair: one row per sentence of the submissions at hand: lemmas of output and reference.
-- Lowercased, punctuation stripped; the form stands where a word has no lemma.
CREATE OR REPLACE TEMP TABLE lemma_pair AS
WITH output_lemmas AS (
    SELECT
        submission_id,
        sentence_no,
        list(lower(coalesce(lemma, form)) ORDER BY position) AS lemmas
    FROM output_token
    JOIN batch USING (submission_id)
    WHERE position IS NOT NULL
    GROUP BY ALL
)
SELECT
    submission_id,
    sentence_no,
    output.text IS NULL AS missing,
    coalesce(output_lemmas.lemmas, []) AS output_lemmas,
    reference_lemmas.lemmas AS reference_lemmas
FROM batch
JOIN output USING (submission_id)
JOIN reference_lemmas USING (treebank_id, sentence_no)
LEFT JOIN output_lemmas USING (submission_id, sentence_no)
ORDER BY submission_id, sentence_no;
