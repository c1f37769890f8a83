-- listed_sentences: one row per sentence of a submission in the order asked for, scores that are undefined last.
SELECT sentence_no, sent_id, bleu, chrf, dea, adequacy_z, length, depth, reference, output
FROM sentence_scores
WHERE submission_id = $submission
ORDER BY
    CASE $order
        WHEN 'dea' THEN dea
        WHEN 'chrf' THEN chrf
        WHEN 'adequacy' THEN adequacy_z
        WHEN 'number' THEN sentence_no
        WHEN 'length' THEN -length
        ELSE bleu
    END NULLS LAST,
    sentence_no
LIMIT $rows OFFSET $start;
