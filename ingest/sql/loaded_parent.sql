-- loaded_parent: one row: the parent of a submission, none where that is not loaded.
SELECT parent.submission_id
FROM submission
JOIN submission AS parent ON parent.submission_id = submission.parent_submission_id
WHERE submission.submission_id = $submission;
