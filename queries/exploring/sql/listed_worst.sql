-- listed_worst: one row per sentence of a submission with a score by a metric, the worst first.
WITH worst AS (
    SELECT submission_id, sentence_no, score
    FROM sentence_score
    JOIN current_scoring USING (submission_id, metric, signature_id)
    WHERE submission_id = $submission AND metric = $metric AND score IS NOT NULL
    ORDER BY $direction * score, sentence_no
    LIMIT $rows
)
SELECT sentence_no, score, length, depth, sentence.text AS reference, output.text AS output
FROM worst
JOIN output USING (submission_id, sentence_no)
JOIN sentence ON sentence.treebank_id = $treebank AND sentence.sentence_no = worst.sentence_no
LEFT JOIN sentence_complexity AS complexity
    ON complexity.treebank_id = $treebank AND complexity.sentence_no = worst.sentence_no
    AND convention = 'standard'
ORDER BY $direction * score, sentence_no;
