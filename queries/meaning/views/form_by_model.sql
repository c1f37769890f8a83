-- form_by_model: one row per submission and language model: the share of its outputs that are of acceptable form.
-- grain: submission_id, model
-- reads: passed_over_signature, submission_identity
-- group: grammar and meaning
-- Opitz & Frank 2021, section 3.3 and Table 5. Of each model the chosen settings count, else the newest.
CREATE OR REPLACE VIEW form_by_model AS
WITH scored AS (
    SELECT
        target AS submission_id,
        signature.parameters ->> '$.model' AS model,
        arg_max(signature_id, (passed_over.signature_id IS NULL, scoring.revision)) AS signature_id
    FROM scoring
    JOIN signature USING (signature_id)
    LEFT JOIN passed_over_signature AS passed_over USING (signature_id)
    WHERE scoring.metric = 'form'
    GROUP BY ALL
),
probable AS (
    SELECT
        output_probability.submission_id,
        output_probability.model,
        count(output_probability.probability) AS outputs,
        avg(output_probability.probability ORDER BY sentence_no) AS probability,
        avg(reference_probability.probability ORDER BY sentence_no) AS reference_probability
    FROM output_probability
    JOIN submission USING (submission_id)
    LEFT JOIN reference_probability USING (treebank_id, reference_form, model, sentence_no)
    WHERE output_probability.probability IS NOT NULL
    GROUP BY ALL
)
SELECT
    identity.* EXCLUDE (params, tags),
    scored.model,                                                        -- the language model, with versions and the hash of its files
    (signature.parameters ->> '$.tolerance')::DOUBLE AS tolerance,       -- how far below one half a preference may lie
    submission_score.score AS form,                                      -- share of outputs of acceptable form, 0 to 1; NULL where undefined
    submission_score.sentences,                                          -- sentences it is computed over
    probable.probability,                                                -- mean of the outputs' mean token probabilities, 0 to 1
    probable.reference_probability,                                      -- the same of the references of these outputs
    coalesce(probable.outputs, 0) AS outputs,                            -- outputs that have a probability
    submission_score.undefined_reason,                                   -- why there is no form
    scored.signature_id,                                                 -- short hash of the signature
    signature.signature,                                                 -- how it was computed
    identity.params,
    identity.tags
FROM scored
JOIN submission_score USING (submission_id, signature_id)
JOIN signature USING (signature_id)
JOIN submission_identity AS identity USING (submission_id)
LEFT JOIN probable USING (submission_id, model);
