-- submitted_run: one row: the language of a submission's treebank, and its parent, NULL where that is not loaded.
SELECT
    treebank.language,
    (SELECT submission_id FROM submission WHERE submission_id = run.parent_submission_id) AS parent
FROM submission AS run
JOIN treebank USING (treebank_id)
WHERE run.submission_id = $submission;
