-- judged_submissions: one row per submission among $submissions: its system and tags, and the language of its treebank.
SELECT submission_id, system_id, treebank_id, language, tags
FROM submission
JOIN treebank USING (treebank_id)
WHERE list_contains($submissions, submission_id)
ORDER BY submission_id;
