-- ancestors: one row per run that a run was developed from, over all generations, and the run itself.
-- grain: submission_id
WITH RECURSIVE line AS (
    SELECT submission_id, parent_submission_id
    FROM submission
    WHERE submission_id = $submission
    UNION
    SELECT parent.submission_id, parent.parent_submission_id
    FROM submission AS parent
    JOIN line ON parent.submission_id = line.parent_submission_id
)
SELECT submission_id FROM line;
