-- exported_submission: one row: the treebank of a submission, and how many sentences that has.
SELECT treebank_id, sentences
FROM submission
JOIN treebank USING (treebank_id)
WHERE submission_id = $submission;
