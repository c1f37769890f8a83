-- form_given_outputs: one row per output of the submissions that probabilities are given for.
SELECT
    output.submission_id,
    scope.model,
    output.sentence_no,
    given.tokens,
    if(output.text IS NULL, NULL, given.probability) AS probability,
    CASE
        WHEN output.text IS NULL THEN 'there is no output'
        WHEN given.probability IS NULL THEN 'no probability was given'
    END AS undefined_reason
FROM (SELECT DISTINCT submission_id, model FROM given_probability) AS scope
JOIN output USING (submission_id)
LEFT JOIN given_probability AS given USING (submission_id, model, sentence_no)
ORDER BY scope.model, output.submission_id, output.sentence_no;
