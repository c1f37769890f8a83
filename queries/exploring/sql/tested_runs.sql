-- tested_runs: one row per run of a system whose change from the run before was tested by one metric, and the test kept: tracker significance.
WITH run AS (
    SELECT submission_id, previous_run(submission) AS previous_submission_id
    FROM submission
    WHERE system_id = $system
)
SELECT run.submission_id, p_randomisation AS p_value
FROM score_comparisons AS comparison
JOIN run
    ON least(run.submission_id, previous_submission_id)
        = least(comparison.submission_id, other_submission_id)
    AND greatest(run.submission_id, previous_submission_id)
        = greatest(comparison.submission_id, other_submission_id)
WHERE metric = $measure AND p_randomisation IS NOT NULL;
