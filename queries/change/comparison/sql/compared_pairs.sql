-- compared_pairs: one row per pair of submissions that is asked for: the metrics of both, and what of them is stored and still holds.
-- $submissions and $bases: their ids, in the same order. $metrics: those asked for.
-- grain: submission_id, base_submission_id
WITH asked AS (
    SELECT unnest($submissions) AS submission_id, unnest($bases) AS base_submission_id
)
SELECT
    asked.submission_id,
    asked.base_submission_id,
    (
        SELECT list(own.source ORDER BY own.source)
        FROM measure_state AS own
        JOIN measure_state AS other USING (source)
        WHERE own.submission_id = asked.submission_id AND other.submission_id = asked.base_submission_id
            AND list_contains($metrics, own.source)
    ) AS metrics,                                         -- those asked for that both have
    (
        SELECT list(measure)
        FROM measure_changes AS change
        WHERE change.submission_id = asked.submission_id
            AND change.base_submission_id = asked.base_submission_id AND change.kind = 'metric'
    ) AS stored                                           -- the metrics whose change is stored
FROM asked;
