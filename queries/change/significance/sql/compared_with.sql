-- compared_with: one row per submission and base of which a comparison is stored.
-- grain: submission_id, base_submission_id
SELECT DISTINCT submission_id, base_submission_id FROM comparison;
