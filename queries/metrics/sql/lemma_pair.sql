-- lemma_pair: one row per sentence of the submissions at hand: lemmas of output and reference.
-- Lowercased, punctuation stripped, joined by blanks (one within a lemma becomes a line break, which
-- no lemma has); the form stands where a word has no lemma.
CREATE OR REPLACE TEMP VIEW lemma_pair AS
WITH words AS (
    SELECT
        submission_id,
        sentence_no,
        lower(joined_lemmas(forms, coalesce(lemmas, forms), punctuation)) AS lemmas
    FROM output_words
    JOIN pending USING (submission_id)
),
reference_words AS (
    SELECT
        treebank_id,
        sentence_no,
        array_to_string(list_transform(lemmas, lambda lemma: replace(lemma, ' ', chr(10))), ' ') AS lemmas
    FROM (SELECT DISTINCT treebank_id FROM pending)
    JOIN reference_lemmas USING (treebank_id)
)
SELECT
    submission_id,
    sentence_no,
    output.text IS NULL AS missing,
    coalesce(words.lemmas, '') AS output_lemmas,
    reference_words.lemmas AS reference_lemmas
FROM pending
JOIN output USING (submission_id)
JOIN reference_words USING (treebank_id, sentence_no)
LEFT JOIN words USING (submission_id, sentence_no);
