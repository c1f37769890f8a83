-- superseded_comparison: one row per stored comparison that no longer holds: what its verdict rests on was replaced since.
-- grain: submission_id, base_submission_id, settings_id
-- reads: measure_state
-- group: internal
CREATE OR REPLACE VIEW superseded_comparison AS
SELECT DISTINCT
    change.submission_id,      -- the submission
    change.base_submission_id, -- the one it is compared with
    change.settings_id         -- how it was tested
FROM change
LEFT JOIN measure_state AS own
    ON own.submission_id = change.submission_id
    AND own.source = split_part(change.measure, '[', 1)
LEFT JOIN measure_state AS other
    ON other.submission_id = change.base_submission_id
    AND other.source = split_part(change.measure, '[', 1)
WHERE family IN ('primary', 'relation')
    AND (own.state IS DISTINCT FROM change.state OR other.state IS DISTINCT FROM change.base_state);
