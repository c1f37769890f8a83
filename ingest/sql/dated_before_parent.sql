-- dated_before_parent: one row per run that is older than its parent, with both dates in UTC, where $runs has either.
-- grain: submission_id
SELECT
    run.submission_id,
    strftime(run.created_at AT TIME ZONE 'UTC', $format) AS created,
    parent.submission_id AS parent_submission_id,
    strftime(parent.created_at AT TIME ZONE 'UTC', $format) AS parent_created
FROM submission AS run
JOIN submission AS parent ON parent.submission_id = run.parent_submission_id
WHERE
    list_has_any($runs, [run.submission_id, parent.submission_id])
    AND run.created_at < parent.created_at
ORDER BY run.submission_id;
