-- form_external_outputs: one row per output of the submissions that external probabilities are for.
SELECT
    output.submission_id,
    scope.model,
    output.sentence_no,
    external.tokens,
    if(output.text IS NULL, NULL, external.probability) AS probability,
    CASE
        WHEN output.text IS NULL THEN 'there is no output'
        WHEN external.probability IS NULL THEN 'no probability was given'
    END AS undefined_reason
FROM (SELECT DISTINCT submission_id, model FROM external_probability) AS scope
JOIN output USING (submission_id)
LEFT JOIN external_probability AS external USING (submission_id, model, sentence_no)
ORDER BY scope.model, output.submission_id, output.sentence_no;
