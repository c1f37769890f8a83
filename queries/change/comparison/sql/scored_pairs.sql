-- scored_pairs: one row per pair of sentences that both submissions have a score for, by one measure.
WITH measured AS (
    SELECT submission_id, sentence_no, metric AS measure, score
    FROM sentence_score
    SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
    UNION ALL
    SELECT submission_id, sentence_no, criterion || '_z', z_score
    FROM human_score
    UNION ALL
    SELECT submission_id, sentence_no, $metric, errors_of($metric, criterion, errors)
    FROM marked_outputs
    WHERE errors_of($metric, criterion, errors) IS NOT NULL
)
SELECT new_no, base_no, new.score AS new_score, base.score AS base_score
FROM compared_sentence
JOIN measured AS new ON new.sentence_no = new_no
JOIN measured AS base ON base.sentence_no = base_no
WHERE new.submission_id = $new AND base.submission_id = $base
    AND new.measure = $metric AND base.measure = $metric
    AND new.score IS NOT NULL AND base.score IS NOT NULL
ORDER BY new_no;
