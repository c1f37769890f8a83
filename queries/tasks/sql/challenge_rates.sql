-- challenge_rates: one row per submission and phenomenon, first that of all items.
SELECT
    submission_id, treebank_id, system_id, iteration, phenomenon, items, passed, pass_rate, low, high,
    previous_submission_id, gained, lost, p_value
FROM challenge_by_phenomenon
WHERE list_contains($submissions, submission_id)
ORDER BY treebank_id, phenomenon NULLS FIRST, campaign_id, system_id, iteration, submission_id;
