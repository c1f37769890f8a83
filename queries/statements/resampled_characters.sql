-- resampled_characters: one row per output: the 18 counts of chrF.
SELECT sentence_no, statistics
FROM resampled
JOIN statistic_match USING (submission_id, signature_id)
ORDER BY place, sentence_no;
