-- listed_lately: one row per submission, those of the newest model runs first, with what changed since the run before.
SELECT
    submission_id, system_id, iteration, treebank_id, campaign_id, created_at,
    COLUMNS(name -> list_contains($scores, name))
FROM submission_history
ORDER BY created_at DESC, submission_id
LIMIT $rows;
