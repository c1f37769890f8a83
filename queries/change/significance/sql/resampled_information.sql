-- resampled_information: one row per output: lengths, totals and information in bits of n = 1 to 5.
SELECT
    place,
    sentence_no,
    list_concat([output_length, reference_length]::DOUBLE[], totals[1:5]::DOUBLE[], information[1:5])
        AS statistics
FROM resampled
JOIN ngram_match USING (submission_id, signature_id)
ORDER BY place, sentence_no;
