-- form_outdated: one row per submission and signature whose form rests on probabilities that changed.
CREATE OR REPLACE TEMP TABLE form_outdated AS
WITH changed AS (
    SELECT submission_id, model FROM changed_output_probability
    UNION
    SELECT submission.submission_id, rows.model
    FROM changed_reference_probability AS rows
    JOIN submission USING (treebank_id, reference_form)
)
SELECT changed.submission_id, signature.signature_id
FROM changed
JOIN signature
    ON signature.metric = 'form'
    AND (signature.parameters ->> '$.model') = changed.model;
