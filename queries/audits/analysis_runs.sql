-- analysis_runs: one row per statistical analysis, correlation or test of projectivity that cannot be.
WITH result AS (
    SELECT DISTINCT submission_id, signature_id, 'correlation' AS result FROM correlation
    UNION ALL
    SELECT DISTINCT submission_id, signature_id, 'projectivity_test' FROM projectivity_test
)
SELECT
    'result that no analysis recorded' AS fault,  -- what is wrong
    submission_id,                                -- the submission
    signature_id,                                 -- signature of the analysis
    result AS measure                             -- the table, the analysis or the measure it is about
FROM result
LEFT JOIN analysis USING (submission_id, signature_id)
WHERE (result, analysis) NOT IN (
    ('correlation', 'correlation'),
    ('correlation', 'entropy'),
    ('projectivity_test', 'projectivity')
) OR analysis IS NULL
UNION ALL
SELECT 'entropy without its correlation', submission_id, signature_id, analysis
FROM analysis
ANTI JOIN correlation USING (submission_id, signature_id)
WHERE analysis = 'entropy'
UNION ALL
SELECT 'correlation of a measure with itself', submission_id, signature_id, measure
FROM correlation
WHERE measure = other_measure
UNION ALL
SELECT 'correlation that is there in both directions', submission_id, signature_id, correlation.measure
FROM correlation
SEMI JOIN (
    SELECT submission_id, signature_id, other_measure AS measure, measure AS other_measure
    FROM correlation
    WHERE measure <> other_measure
) AS mirrored USING (submission_id, signature_id, measure, other_measure)
UNION ALL
SELECT 'correlation without value or reason', submission_id, signature_id, measure
FROM correlation
WHERE (coefficient IS NULL) <> (undefined_reason IS NOT NULL)
    OR (coefficient IS NULL) <> (p_value IS NULL)
    OR (coefficient IS NULL) <> (p_holm IS NULL)
UNION ALL
SELECT 'correlation of fewer than three', submission_id, signature_id, measure
FROM correlation
WHERE n < 0 OR (n < 3 AND coefficient IS NOT NULL)
UNION ALL
SELECT 'correlation out of range', submission_id, signature_id, measure
FROM correlation
WHERE NOT (coefficient BETWEEN -1 AND 1 AND p_value BETWEEN 0 AND 1 AND p_holm BETWEEN p_value AND 1)
UNION ALL
SELECT 'test of projectivity without value or reason', submission_id, signature_id, metric
FROM projectivity_test
WHERE (u IS NULL) <> (undefined_reason IS NOT NULL)
    OR (u IS NULL) <> (p_value IS NULL)
    OR (u IS NULL) <> (rank_biserial IS NULL)
    OR (u IS NULL) <> (projective = 0 OR non_projective = 0)
    OR (projective_median IS NULL) <> (projective = 0)
    OR (non_projective_median IS NULL) <> (non_projective = 0)
UNION ALL
SELECT 'test of projectivity out of range', submission_id, signature_id, metric
FROM projectivity_test
WHERE NOT (
    u BETWEEN 0 AND projective::BIGINT * non_projective
    AND p_value BETWEEN 0 AND 1
    AND abs(rank_biserial - (2 * u / (projective::BIGINT * non_projective) - 1)) < 1e-9
);
