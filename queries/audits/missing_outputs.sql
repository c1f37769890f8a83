-- missing_outputs: one row per score of a missing output that is not what its metric says, as the shared tasks count it.
-- TER with several references lays the shortest against the mean of all.
WITH known (position, metric, lowest, highest, missing, has_formula) AS (
    SELECT {position}, '{metric}', {lowest}, {highest}, {missing}, {has_formula} UNION ALL
    SELECT NULL, NULL, NULL::DOUBLE, NULL::DOUBLE, NULL::DOUBLE, NULL::BOOLEAN
)
SELECT
    submission_id,  -- the submission
    sentence_no,    -- the sentence without an output
    metric,         -- the metric
    score           -- its score
FROM sentence_score
SEMI JOIN (FROM output WHERE text IS NULL) AS without_text USING (submission_id, sentence_no)
JOIN known USING (metric)
JOIN signature USING (signature_id, metric)
WHERE score <> known.missing AND (metric <> 'ter' OR (parameters ->> 'references') IS NULL);
