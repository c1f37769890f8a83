-- significance: one row per confidence interval or comparison of scores that cannot be.
WITH known (position, metric, lowest, highest, missing, has_formula) AS (
    SELECT {position}, '{metric}', {lowest}, {highest}, {missing}, {has_formula} UNION ALL
    SELECT NULL, NULL, NULL::DOUBLE, NULL::DOUBLE, NULL::DOUBLE, NULL::BOOLEAN
),
result AS (
    SELECT
        'score_interval' AS result, signature_id, submission_id, NULL AS other_submission_id, metric,
        replicates, seed, level, sentences, score AS value, low, high,
        low AS p_bootstrap, high AS p_randomisation, undefined_reason
    FROM score_interval
    UNION ALL
    SELECT
        'score_comparison', signature_id, submission_id, other_submission_id, metric,
        replicates, seed, level, sentences, difference, low, high,
        p_bootstrap, p_randomisation, undefined_reason
    FROM score_comparison
)
SELECT
    'submission is not there' AS fault,  -- what is wrong
    result,                              -- the table
    metric,                              -- the metric
    submission_id,                       -- the submission
    other_submission_id                  -- the one it is compared with
FROM result
WHERE submission_id NOT IN (SELECT submission_id FROM submission)
    OR other_submission_id NOT IN (SELECT submission_id FROM submission)
UNION ALL
SELECT 'score is not there', result, metric, submission_id, other_submission_id
FROM result
ANTI JOIN submission_score USING (signature_id, submission_id, metric)
UNION ALL
SELECT 'score is not there', 'score_comparison', metric, submission_id, other_submission_id
FROM score_comparison
ANTI JOIN submission_score
    ON submission_score.signature_id = score_comparison.signature_id
    AND submission_score.submission_id = other_submission_id
UNION ALL
SELECT 'without value or reason', result, metric, submission_id, other_submission_id
FROM result
WHERE (low IS NULL) <> (undefined_reason IS NOT NULL)
    OR (low IS NULL) <> (high IS NULL)
    OR (low IS NULL) <> (p_bootstrap IS NULL)
    OR (low IS NULL) <> (p_randomisation IS NULL)
    OR (value IS NULL AND low IS NOT NULL)
UNION ALL
SELECT 'out of range', result, metric, submission_id, other_submission_id
FROM result
WHERE NOT (
    replicates > 0 AND seed >= 0 AND level > 0 AND level < 1 AND sentences >= 0
    AND coalesce(isfinite(value), true)
    AND coalesce(isfinite(low) AND isfinite(high) AND low <= high, true)
    AND (sentences >= 2 OR undefined_reason IS NOT NULL)
)
UNION ALL
SELECT 'p-value out of range', 'score_comparison', metric, submission_id, other_submission_id
FROM score_comparison
WHERE NOT (p_bootstrap > 0 AND p_bootstrap <= 1 AND p_randomisation > 0 AND p_randomisation <= 1)
UNION ALL
SELECT 'not in the order of names', 'score_comparison', metric, submission_id, other_submission_id
FROM score_comparison
WHERE submission_id >= other_submission_id
UNION ALL
SELECT 'not the score of the submission', 'score_interval', metric, submission_id, NULL
FROM score_interval
JOIN submission_score USING (signature_id, submission_id, metric)
JOIN known USING (metric)
WHERE abs(score_interval.score - submission_score.score) > 1e-9 AND has_formula
UNION ALL
SELECT 'not the difference of the scores', 'score_comparison', metric, submission_id, other_submission_id
FROM score_comparison
JOIN score_interval AS one USING (signature_id, submission_id, metric)
JOIN score_interval AS other
    ON other.signature_id = score_comparison.signature_id
    AND other.submission_id = other_submission_id
WHERE abs(difference - (one.score - other.score)) > 1e-9
UNION ALL
SELECT 'interval that no analysis recorded', 'score_interval', metric, submission_id, NULL
FROM score_interval
ANTI JOIN (
    SELECT submission_id, split_part(signature, '|scores:', 2) AS signature_id
    FROM analysis
    WHERE analysis = 'significance'
) AS recorded USING (submission_id, signature_id);
