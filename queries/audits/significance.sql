-- significance: one row per confidence interval or comparison of scores that cannot be.
WITH known (position, metric, lowest, highest, missing, has_formula) AS (
    SELECT {position}, '{metric}', {lowest}, {highest}, {missing}, {has_formula} UNION ALL
    SELECT NULL, NULL, NULL::DOUBLE, NULL::DOUBLE, NULL::DOUBLE, NULL::BOOLEAN
),
result AS (
    SELECT
        'score_interval' AS result, submission_id, NULL AS other_submission_id, metric,
        replicates, seed, level, score AS value, low, high, NULL::DOUBLE AS p_value,
        undefined_reason, sentences
    FROM score_interval
    UNION ALL
    SELECT
        'change', submission_id, base_submission_id, measure,
        compared.replicates, seed, level, difference, low, high, p_value, undefined_reason, n
    FROM change
    JOIN comparison AS compared USING (submission_id, base_submission_id, settings_id)
)
SELECT
    'score is not there' AS fault,                 -- what is wrong
    'score_interval' AS result,                    -- the table
    metric,                                        -- the metric
    submission_id,                                 -- the submission
    NULL::VARCHAR AS other_submission_id           -- the one it is compared with
FROM score_interval
ANTI JOIN submission_score USING (signature_id, submission_id, metric)
UNION ALL
SELECT 'without value or reason', result, metric, submission_id, other_submission_id
FROM result
WHERE (low IS NULL) <> (high IS NULL)
    OR (low IS NULL AND undefined_reason IS NULL)
    OR (result = 'score_interval' AND low IS NOT NULL AND undefined_reason IS NOT NULL)
    OR (value IS NULL AND low IS NOT NULL)
UNION ALL
SELECT 'out of range', result, metric, submission_id, other_submission_id
FROM result
WHERE NOT (
    replicates > 0 AND seed >= 0 AND level > 0 AND level < 1 AND sentences >= 0
    AND coalesce(isfinite(value), true)
    AND coalesce(isfinite(low) AND isfinite(high) AND low <= high, true)
    AND coalesce(p_value > 0 AND p_value <= 1, true)
)
UNION ALL
SELECT 'corrected below itself', 'change', measure, submission_id, base_submission_id
FROM change
WHERE p_holm < p_value OR (p_holm IS NULL) <> (p_value IS NULL)
UNION ALL
SELECT 'not the difference of the values', 'change', measure, submission_id, base_submission_id
FROM change
WHERE abs(difference - (score - base_score)) > 1e-9
UNION ALL
SELECT 'not the score of the submission', 'score_interval', metric, submission_id, NULL
FROM score_interval
JOIN mean_score USING (signature_id, submission_id, metric)
JOIN known USING (metric)
WHERE abs(score_interval.score - mean_score.score) > 1e-9 AND has_formula
UNION ALL
SELECT 'interval that no analysis recorded', 'score_interval', metric, submission_id, NULL
FROM score_interval
ANTI JOIN (
    SELECT submission_id, split_part(signature, '|scores:', 2) AS signature_id
    FROM analysis
    WHERE analysis = 'significance'
) AS recorded USING (submission_id, signature_id);
