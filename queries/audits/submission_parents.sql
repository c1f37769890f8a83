-- submission_parents: one row per submission whose parent is missing, itself or its descendant, or was made later, or whose iteration is below 1.
WITH RECURSIVE ancestor AS (
    SELECT submission_id, parent_submission_id AS ancestor_id
    FROM submission
    WHERE parent_submission_id IS NOT NULL
    UNION
    SELECT ancestor.submission_id, submission.parent_submission_id
    FROM ancestor
    JOIN submission ON submission.submission_id = ancestor.ancestor_id
    WHERE submission.parent_submission_id IS NOT NULL
)
SELECT
    'its own ancestor' AS fault,  -- what is wrong
    submission_id,                -- the submission
    ancestor_id AS parent         -- the parent it names
FROM ancestor
WHERE submission_id = ancestor_id
UNION ALL
SELECT 'parent not there', submission.submission_id, submission.parent_submission_id
FROM submission
LEFT JOIN submission AS parent ON parent.submission_id = submission.parent_submission_id
WHERE submission.parent_submission_id IS NOT NULL AND parent.submission_id IS NULL
UNION ALL
SELECT 'made before its parent', run.submission_id, parent.submission_id
FROM submission AS run
JOIN submission AS parent ON parent.submission_id = run.parent_submission_id
WHERE run.created_at < parent.created_at
UNION ALL
SELECT 'iteration below 1', submission_id, parent_submission_id FROM submission WHERE iteration < 1
UNION ALL
SELECT 'iteration given twice', any_value(submission_id), any_value(parent_submission_id)
FROM submission
GROUP BY campaign_id, system_id, treebank_id, iteration
HAVING count(*) > 1;
