-- challenge_treebanks: one row per test set with challenge items that submissions are to.
SELECT DISTINCT treebank_id
FROM submission
SEMI JOIN challenge_check USING (treebank_id)
WHERE list_contains($submissions, submission_id)
ORDER BY treebank_id;
