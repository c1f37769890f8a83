-- human_values: one row per human score or judgement that has no value, or one that is not finite or out of range.
SELECT
    submission_id,  -- the submission; NULL for a judged reference
    sentence_no,    -- the sentence
    criterion,      -- the criterion
    z_score,        -- its z-score
    raw_mean        -- its mean raw rating, or the judgement's rating
FROM human_score
WHERE (z_score IS NULL AND raw_mean IS NULL)
    OR NOT coalesce(isfinite(z_score), true)
    OR NOT coalesce(rating_possible(criterion, raw_mean), true)
    OR judgements < 1
UNION ALL
SELECT submission_id, sentence_no, criterion, NULL, raw_score
FROM judgement
WHERE NOT rating_possible(criterion, raw_score);
