-- tested_runs: one row per run of a system whose comparison with the run before is stored: what that says of one measure.
SELECT change.submission_id, change.significant, change.is_worse
FROM (
    SELECT submission_id, previous_run(submission) AS base_submission_id
    FROM submission
    WHERE system_id = $system
) AS run
JOIN measure_changes AS change USING (submission_id, base_submission_id)
WHERE change.system_id = $system AND change.measure = $measure AND change.significant IS NOT NULL;
