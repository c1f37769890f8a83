-- resampled_ngrams: one row per output: lengths of output and reference, matches and totals of n = 1 to 4.
SELECT
    place,
    sentence_no,
    list_concat([output_length, reference_length], matches[1:4], totals[1:4])::DOUBLE[] AS statistics
FROM resampled
JOIN ngram_match USING (submission_id, signature_id)
ORDER BY place, sentence_no;
