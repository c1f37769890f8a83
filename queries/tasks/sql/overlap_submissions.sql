-- overlap_submissions: one row per submission to a test set, in the order of systems and iterations.
SELECT submission_id
FROM submission
WHERE treebank_id = $treebank
ORDER BY campaign_id, system_id, iteration, submission_id;
