-- references_with_words: one row per treebank of some submissions whose references have words, and trees.
SELECT DISTINCT treebank_id
FROM submission
JOIN treebank USING (treebank_id)
WHERE tokens > 0 AND list_contains($submissions, submission_id);
