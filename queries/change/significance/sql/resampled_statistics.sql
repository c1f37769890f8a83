-- resampled_statistics: one row per output: the statistics that the metric stores.
SELECT place, sentence_no, statistics
FROM resampled
JOIN statistic_match USING (submission_id, signature_id)
ORDER BY place, sentence_no;
