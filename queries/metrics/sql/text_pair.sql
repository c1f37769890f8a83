-- text_pair: one row per sentence of the submissions at hand: output and reference as surface text.
-- As they were given (…_raw) and lowercased without extra blanks (Mille et al. 2018, section 4);
-- a missing output is empty text. A reference is normalised once for all its submissions. The lists
-- references_raw and references_text hold all where several are used, and are NULL where one is.
CREATE OR REPLACE TEMP VIEW text_pair AS
WITH reference AS MATERIALIZED (FROM listed_reference)
SELECT
    submission_id, treebank_id, reference_form, sentence_no,
    output.text IS NULL AS missing,
    coalesce(output.text, '') AS output_raw,
    plain_text(output_raw) AS output_text,
    reference_raw, reference_text, references_raw, references_text
FROM output
JOIN pending USING (submission_id)
JOIN reference USING (treebank_id, reference_form, sentence_no);
