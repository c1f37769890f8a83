-- resampled_scores: one row per output: its score, 0 where it has none, and whether it has one.
SELECT
    place,
    sentence_no,
    [coalesce(score, 0), (score IS NOT NULL)::INTEGER]::DOUBLE[] AS statistics
FROM resampled
JOIN sentence_score USING (submission_id, signature_id)
ORDER BY place, sentence_no;
