-- resampled_smoothed_ngrams: one row per output: lengths, matches, and the denominators of bleu_smoothed.
SELECT
    place,
    sentence_no,
    list_concat([output_length, reference_length], matches[1:4], bleu_denominators(totals))::DOUBLE[]
        AS statistics
FROM resampled
JOIN ngram_match USING (submission_id, signature_id)
ORDER BY place, sentence_no;
