-- score_values: one row per score that is not finite or out of range, or NULL without a reason, or that has both.
WITH score AS (
    SELECT signature_id, submission_id, sentence_no, metric, score, undefined_reason
    FROM sentence_score
    UNION ALL
    SELECT signature_id, submission_id, NULL, metric, score, undefined_reason
    FROM submission_score
)
SELECT
    submission_id,    -- the submission
    sentence_no,      -- the sentence; NULL for the score of the submission
    metric,           -- the metric
    score,            -- the score
    undefined_reason  -- why it is NULL
FROM score
WHERE (score IS NULL) <> (undefined_reason IS NOT NULL)
    OR NOT coalesce(isfinite(score), true)
    OR CASE
        WHEN metric IN (
            'bleu', 'bleu_13a', 'bleu_smoothed', 'bleu_lemma', 'chrf', 'dea', 'dist_pooled', 'form',
            's2match'
        )
            OR starts_with(metric, 'grammar') OR starts_with(metric, 'smatch')
            OR starts_with(metric, 'mf_')
            THEN score NOT BETWEEN 0 AND 1 + 1e-12
        WHEN metric = 'dist' THEN score > 1
        WHEN metric IN ('nist', 'nist4', 'ter') THEN score < 0
    END;
