-- unvaried_annotators: one row per annotator of the file and criterion on which all their judgements are one score.
SELECT
    annotator_id,
    criterion,
    count(*) AS judgements,
    any_value(raw_score) AS raw_score,
    any_value(record) AS record
FROM judgement
JOIN (
    SELECT annotator_id, criterion, min(record) AS record FROM staged_judgements GROUP BY ALL
) USING (annotator_id, criterion)
WHERE campaign_id = $campaign
GROUP BY annotator_id, criterion
HAVING min(raw_score) = max(raw_score)
ORDER BY min(record), criterion;
