-- single_reference: one row per sentence of the submissions at hand and form its reference is read in.
-- As it was given (…_raw) and as plain_text makes it.
CREATE OR REPLACE TEMP VIEW single_reference AS
SELECT
    treebank_id, reference_form, sentence_no,
    CASE reference_form WHEN 'tokens' THEN forms_text ELSE text END AS reference_raw,
    plain_text(reference_raw) AS reference_text
FROM (SELECT DISTINCT treebank_id, reference_form FROM pending)
JOIN sentence USING (treebank_id)
WHERE text IS NOT NULL;
