-- listed_runs: one row per run of a system, newest first on each test set: its scores, with their changes from the run before where both were computed alike.
WITH run AS (
    SELECT
        submission_id, campaign_id, treebank_id, track, iteration, created_at,
        previous_run(submission) AS previous_submission_id
    FROM submission
    WHERE system_id = $system
),
scored AS (
    SELECT submission_id, metric AS measure, signature_id, score
    FROM current_scoring
    JOIN mean_score USING (submission_id, metric, signature_id)
    UNION ALL
    SELECT submission_id, criterion || '_z', campaign_id, z_mean
    FROM human_criterion_means
),
moved AS (
    SELECT run.submission_id, own.measure, own.score, own.score - before.score AS change
    FROM run
    JOIN scored AS own USING (submission_id)
    LEFT JOIN scored AS before
        ON before.submission_id = previous_submission_id
        AND before.measure = own.measure
        AND before.signature_id = own.signature_id
)
SELECT
    submission_id,
    any_value(score) FILTER (WHERE measure = $measure)  AS score,
    any_value(change) FILTER (WHERE measure = $measure) AS score_change,
    any_value(score) FILTER (WHERE measure = '{headline}') AS {headline},
    any_value(change) FILTER (WHERE measure = '{headline}') AS {headline}_change,
    previous_submission_id,
    campaign_id,
    treebank_id,
    track,
    iteration,
    created_at
FROM run
LEFT JOIN moved USING (submission_id)
GROUP BY ALL
ORDER BY campaign_id, treebank_id, track, iteration DESC, submission_id;
