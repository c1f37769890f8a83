-- measure_states: one row per submission and metric, or what people said: what its values rest on, and whether it has one.
-- $submissions: their ids.
-- grain: submission_id, source
SELECT submission_id, source, state, is_defined
FROM measure_state
WHERE list_contains($submissions, submission_id);
