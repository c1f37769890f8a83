-- marked_by_whom: one row per submission, system or campaign ($by) and criterion: the errors marked in its outputs.
WITH span AS (
    SELECT submission_id, criterion, unnest(errors) AS error
    FROM marked_outputs
    WHERE list_contains($submissions, submission_id)
),
judged AS (
    SELECT
        CASE $by WHEN 'submission' THEN submission_id WHEN 'system' THEN system_id ELSE campaign_id END
            AS name,
        criterion,
        sum(outputs)::BIGINT AS outputs,
        sum(judgements)::BIGINT AS judgements,
        sum(words)::BIGINT AS words
    FROM error_rates
    WHERE severity IS NULL AND list_contains($submissions, submission_id)
        AND ($criterion IS NULL OR criterion = $criterion)
    GROUP BY ALL
),
counted AS (
    SELECT
        CASE $by WHEN 'submission' THEN submission_id WHEN 'system' THEN system_id ELSE campaign_id END
            AS name,
        criterion,
        count(*) AS errors,
        count(*) FILTER (WHERE error.severity = 'minor') AS minor,
        count(*) FILTER (WHERE error.severity = 'major') AS major,
        count(*) FILTER (WHERE error.severity = 'critical') AS critical,
        total_weight(error.weight) AS weight
    FROM span
    JOIN submission USING (submission_id)
    GROUP BY ALL
)
SELECT
    name, criterion, outputs, judgements, words,
    coalesce(errors, 0) AS errors,
    coalesce(minor, 0) AS minor,
    coalesce(major, 0) AS major,
    coalesce(critical, 0) AS critical,
    coalesce(errors - minor - major - critical, 0) AS other,
    100 * coalesce(errors, 0) / nullif(words, 0) AS per_100_words,
    100 * coalesce(major + critical, 0) / nullif(words, 0) AS grave_per_100_words,
    weight,
    weight / judgements AS weight_per_judgement
FROM judged
LEFT JOIN counted USING (name, criterion)
ORDER BY criterion, coalesce(100 * errors / nullif(words, 0), errors / judgements, 0), name;
