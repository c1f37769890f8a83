-- listed_runs: one row per run of a system, newest first on each test set: its scores, with their changes from the run before where both were computed alike.
-- $rows: so many of a test set, the newest, and the one that is best by $measure ($direction 1 where that is the highest); NULL for all.
-- `listed`: how many runs there are of the test set.
WITH every_run AS (
    SELECT
        submission_id, campaign_id, treebank_id, track, iteration, created_at,
        previous_run(submission) AS previous_submission_id
    FROM submission
    WHERE system_id = $system
),
measured AS (
    SELECT submission_id, score
    FROM current_scoring
    JOIN mean_score USING (submission_id, metric, signature_id)
    WHERE metric = $measure
    UNION ALL
    SELECT submission_id, z_mean
    FROM human_criterion_means
    WHERE criterion || '_z' = $measure
),
run AS (
    SELECT
        every_run.*,
        count(*) OVER (PARTITION BY campaign_id, treebank_id, track) AS listed
    FROM every_run
    LEFT JOIN measured USING (submission_id)
    QUALIFY $rows IS NULL
        OR row_number() OVER (
            PARTITION BY campaign_id, treebank_id, track ORDER BY iteration DESC, submission_id
        ) <= $rows
        OR row_number() OVER (
            PARTITION BY campaign_id, treebank_id, track
            ORDER BY $direction * score DESC NULLS LAST, iteration, submission_id
        ) = 1
),
looked_at AS MATERIALIZED (
    SELECT submission_id FROM run
    UNION
    SELECT previous_submission_id FROM run
),
scored AS (
    SELECT submission_id, metric AS measure, signature_id, score
    FROM current_scoring
    JOIN mean_score USING (submission_id, metric, signature_id)
    SEMI JOIN looked_at USING (submission_id)
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
    created_at,
    listed
FROM run
LEFT JOIN moved USING (submission_id)
GROUP BY ALL
ORDER BY campaign_id, treebank_id, track, iteration DESC, submission_id;
