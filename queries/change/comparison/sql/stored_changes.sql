-- stored_changes: one row per measure of a comparison that is stored, in their order.
-- grain: measure
SELECT *
FROM change
WHERE submission_id = $new AND base_submission_id = $base AND settings_id = $settings
ORDER BY place;
