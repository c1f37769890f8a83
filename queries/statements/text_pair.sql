-- text_pair: one row per sentence of the submissions at hand: output and reference as surface text.
-- As they were given (…_raw) and lowercased without extra blanks (Mille et al. 2018, section 4);
-- a missing output is empty text.
CREATE OR REPLACE TEMP TABLE text_pair AS
WITH pair AS (
    SELECT
        submission_id,
        sentence_no,
        output.text IS NULL AS missing,
        coalesce(output.text, '') AS output_raw,
        CASE batch.reference_form WHEN 'tokens' THEN sentence.forms_text ELSE sentence.text END
            AS reference_raw,
        information.information
    FROM batch
    JOIN output USING (submission_id)
    JOIN sentence USING (treebank_id, sentence_no)
    LEFT JOIN reference_information AS information
        USING (treebank_id, sentence_no, reference_form)
)
SELECT
    *,
    normalised_text(output_raw) AS output_text,
    normalised_text(reference_raw) AS reference_text,
    surface_tokens(output_raw) AS output_tokens,
    surface_tokens(reference_raw) AS reference_tokens
FROM pair
WHERE reference_raw IS NOT NULL
ORDER BY submission_id, sentence_no;
