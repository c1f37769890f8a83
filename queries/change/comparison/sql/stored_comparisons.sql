-- stored_comparisons: one row per pair of submissions whose verdict is stored and still holds.
-- $submissions and $bases: their ids, in the same order.
-- grain: submission_id, base_submission_id
SELECT current_comparison.*
FROM current_comparison
SEMI JOIN (SELECT unnest($submissions) AS submission_id, unnest($bases) AS base_submission_id) AS asked
    USING (submission_id, base_submission_id)
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions);
