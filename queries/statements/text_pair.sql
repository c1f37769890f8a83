-- text_pair: one row per sentence of the submissions at hand: output and reference as surface text.
-- As they were given (…_raw) and lowercased without extra blanks (Mille et al. 2018, section 4);
-- a missing output is empty text. A reference is normalised once for all its submissions.
CREATE OR REPLACE TEMP TABLE text_pair AS
WITH reference_raw AS (
    SELECT
        treebank_id, sentence_no, reference_form,
        CASE reference_form WHEN 'tokens' THEN forms_text ELSE text END AS reference_raw
    FROM (SELECT DISTINCT treebank_id, reference_form FROM batch)
    JOIN sentence USING (treebank_id)
),
reference AS MATERIALIZED (
    SELECT
        treebank_id, sentence_no, reference_form, reference_raw, information,
        normalised_text(reference_raw) AS reference_text
    FROM reference_raw
    LEFT JOIN reference_information USING (treebank_id, sentence_no, reference_form)
    WHERE reference_raw IS NOT NULL
),
pair AS (
    SELECT
        submission_id,
        sentence_no,
        output.text IS NULL AS missing,
        coalesce(output.text, '') AS output_raw,
        normalised_text(coalesce(output.text, '')) AS output_text,
        reference.reference_raw,
        reference.reference_text,
        reference.information
    FROM batch
    JOIN output USING (submission_id)
    JOIN reference USING (treebank_id, sentence_no, reference_form)
)
SELECT
    *,
    CASE output_text WHEN '' THEN [] ELSE string_split(output_text, ' ') END AS output_tokens,
    CASE reference_text WHEN '' THEN [] ELSE string_split(reference_text, ' ') END
        AS reference_tokens
FROM pair
ORDER BY submission_id, sentence_no;
