-- stored_comparison_changes: one row per measure of a verdict that is stored and still holds, in their order.
-- $submissions and $bases: their ids, in the same order.
-- grain: submission_id, base_submission_id, measure
SELECT measure_changes.*
FROM measure_changes
SEMI JOIN (SELECT unnest($submissions) AS submission_id, unnest($bases) AS base_submission_id) AS asked
    USING (submission_id, base_submission_id)
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
ORDER BY submission_id, base_submission_id, place;
