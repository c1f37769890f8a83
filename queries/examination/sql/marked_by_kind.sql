-- marked_by_kind: one row per criterion and category or severity ($by) of errors: how many there are, and what they cost.
WITH span AS (
    SELECT submission_id, sentence_no, criterion, unnest(errors) AS error
    FROM marked_outputs
    WHERE list_contains($submissions, submission_id) AND ($criterion IS NULL OR criterion = $criterion)
),
judged AS (
    SELECT criterion, sum(words) AS words
    FROM error_rates
    WHERE severity IS NULL AND list_contains($submissions, submission_id)
    GROUP BY criterion
)
SELECT
    coalesce(if($by = 'category', error.category, error.severity), 'uncategorised') AS name,
    criterion,
    count(*) AS errors,
    count(*) / sum(count(*)) OVER (PARTITION BY criterion) AS share,
    count(*) FILTER (WHERE error.severity IN ('major', 'critical')) AS grave,
    count(DISTINCT (submission_id, sentence_no)) AS outputs,
    100 * count(*) / nullif(any_value(words), 0) AS per_100_words,
    total_weight(error.weight) AS weight,
    total_weight(error.weight)
        / round(sum(total_weight(error.weight)) OVER (PARTITION BY criterion), 9) AS weight_share
FROM span
JOIN judged USING (criterion)
GROUP BY 1, criterion
ORDER BY criterion, errors DESC, name;
