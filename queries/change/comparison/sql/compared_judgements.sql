-- compared_judgements: one row per pair of sentences of which people judged both outputs by a criterion.
SELECT new_no, [z.z_score, 1]::DOUBLE[] AS new, [base_z.z_score, 1]::DOUBLE[] AS base
FROM compared_sentence
JOIN human_score AS z ON z.submission_id = $new AND z.sentence_no = new_no
JOIN human_score AS base_z
    ON base_z.submission_id = $base AND base_z.sentence_no = base_no
    AND base_z.criterion = z.criterion
WHERE z.criterion = $criterion AND z.z_score IS NOT NULL AND base_z.z_score IS NOT NULL
ORDER BY new_no;
