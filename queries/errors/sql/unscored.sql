-- unscored: one row per submission without a score by any metric.
-- $submissions: of these; NULL for all.
-- grain: submission_id
SELECT submission_id
FROM submission
ANTI JOIN current_scoring USING (submission_id)
WHERE $submissions IS NULL OR list_contains($submissions, submission_id)
ORDER BY submission_id;
