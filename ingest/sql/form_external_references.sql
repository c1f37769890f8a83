-- form_external_references: one row per reference sentence, kind of its text and model that an external probability is for.
SELECT
    treebank_id,
    reference_form,
    model,
    sentence_no,
    NULL::INTEGER AS tokens,
    any_value(reference_probability) AS probability,
    NULL::VARCHAR AS undefined_reason,
    count(DISTINCT reference_probability) AS different,
    max(record) AS record
FROM external_probability
JOIN submission USING (submission_id)
WHERE reference_probability IS NOT NULL
GROUP BY ALL
ORDER BY record;
