-- pruned_comparisons: one row per comparison that can go: it no longer holds.
-- $submissions: of these submissions.
CREATE OR REPLACE TEMP TABLE pruned_comparison AS
SELECT submission_id, base_submission_id, settings_id
FROM superseded_comparison
WHERE list_contains($submissions, submission_id);
