-- sentences_in_order: one row per sentence of a submission, in the order of listed_sentences, or of listed_worst.
WITH measured AS (
    SELECT sentence_no, score
    FROM sentence_score
    JOIN (FROM current_scoring WHERE metric = $order) AS scoring
        USING (submission_id, metric, signature_id)
    WHERE submission_id = $submission
    UNION ALL
    SELECT sentence_no, z_score
    FROM human_score
    WHERE submission_id = $submission AND criterion = $order
    UNION ALL
    SELECT sentence_no, CASE $order WHEN 'length' THEN -length ELSE sentence_no END
    FROM submission
    JOIN sentence_complexity USING (treebank_id)
    WHERE submission_id = $submission
        AND convention = 'standard'
        AND $order IN ('length', 'number')
)
SELECT sentence_no
FROM output
LEFT JOIN measured USING (sentence_no)
WHERE submission_id = $submission
ORDER BY $direction * score NULLS LAST, sentence_no;
