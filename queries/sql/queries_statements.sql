-- pending_sizes: one row per submission to compute for: its treebank and how many sentences that has.
SELECT treebank_id, submission_id, coalesce(sentences, 0) AS sentences
FROM submission
LEFT JOIN treebank USING (treebank_id)
WHERE list_contains($submissions, submission_id)
ORDER BY treebank_id, submission_id;

-- pending_treebanks: one row per treebank that a version of the analyses has not analysed yet.
SELECT treebank_id
FROM treebank
ANTI JOIN (FROM scoring WHERE signature_id = $version) AS scoring ON target = treebank_id
ORDER BY treebank_id;
