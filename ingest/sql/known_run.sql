-- known_run: the first iteration of a system on a test set that has content of some hash, and how its references are told.
SELECT submission_id, reference_form
FROM submission
WHERE
    campaign_id = $campaign AND system_id = $system AND treebank_id = $treebank
    AND list_contains($hashes, sha256) AND iteration = coalesce($iteration, iteration)
ORDER BY iteration
LIMIT 1;
