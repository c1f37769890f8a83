-- run_then: one row: which of some submissions was the last one made until a moment.
-- $submissions: their ids. $moment: the moment.
SELECT submission_id
FROM submission
WHERE list_contains($submissions, submission_id) AND created_at <= $moment
ORDER BY created_at DESC, iteration DESC
LIMIT 1;
