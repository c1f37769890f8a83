-- score_values: one row per score that is not finite or out of range, or NULL without a reason, or that has both.
WITH score AS (
    SELECT signature_id, submission_id, sentence_no, metric, score, undefined_reason
    FROM sentence_score
    UNION ALL
    SELECT signature_id, submission_id, NULL, metric, score, undefined_reason
    FROM submission_score
),
known (position, metric, lowest, highest, missing, has_formula) AS (
    SELECT {position}, '{metric}', {lowest}, {highest}, {missing}, {has_formula} UNION ALL
    SELECT NULL, NULL, NULL::DOUBLE, NULL::DOUBLE, NULL::DOUBLE, NULL::BOOLEAN
)
SELECT
    submission_id,    -- the submission
    sentence_no,      -- the sentence; NULL for the score of the submission
    metric,           -- the metric
    score,            -- the score
    undefined_reason  -- why it is NULL
FROM score
LEFT JOIN known USING (metric)
WHERE (score IS NULL) <> (undefined_reason IS NOT NULL)
    OR NOT coalesce(isfinite(score), true)
    OR score < lowest - 1e-12
    OR score > highest + 1e-12;
