-- resampled_edits: one row per output: its edits, the length of the longer of output and reference, and that of the reference.
SELECT
    place,
    sentence_no,
    [edits, greatest(output_length, reference_length), reference_length]::DOUBLE[] AS statistics
FROM resampled
JOIN edit_match USING (submission_id, signature_id)
ORDER BY place, sentence_no;
