-- example_ranking: one row per output of a submission: its score by one measure.
SELECT sentence_no, score
FROM output
LEFT JOIN (
    SELECT sentence_no, score
    FROM sentence_score
    JOIN current_scoring USING (submission_id, metric, signature_id)
    WHERE submission_id = $submission_id AND metric = $measure
    UNION ALL
    SELECT sentence_no, z_score
    FROM human_score
    WHERE submission_id = $submission_id AND criterion || '_z' = $measure
    UNION ALL
    SELECT sentence_no, errors_of($measure, criterion, errors)
    FROM marked_outputs
    WHERE submission_id = $submission_id AND errors_of($measure, criterion, errors) IS NOT NULL
) AS measured USING (sentence_no)
WHERE submission_id = $submission_id
ORDER BY sentence_no;
