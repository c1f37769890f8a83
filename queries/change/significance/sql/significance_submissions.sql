-- significance_submissions: one row per submission with a current score, those of a treebank together, later runs of a system first.
-- $metrics: by one of these metrics; NULL for any.
-- grain: submission_id
SELECT submission.treebank_id, submission_id
FROM submission
SEMI JOIN (FROM current_scoring WHERE $metrics IS NULL OR list_contains($metrics, metric)) AS scored
    USING (submission_id)
ORDER BY submission.treebank_id, campaign_id, system_id, track, iteration DESC, submission_id;
