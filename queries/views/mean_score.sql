-- mean_score: one row per submission, metric and signature: its score, over its trials their mean.
-- grain: submission_id, metric, signature_id
-- group: internal
-- A trial without a score is left out of the mean; where no further trial is scored by a metric, it is the first one's score.
CREATE OR REPLACE VIEW mean_score AS
WITH of_trials AS (
    SELECT
        trial.submission_id,
        metric,
        signature_id,
        avg(score)         AS mean,
        stddev_samp(score) AS trial_sd,
        count(score)       AS trials
    FROM trial
    JOIN submission_score ON submission_score.submission_id = trial.trial_submission_id
    GROUP BY ALL
)
SELECT
    submission_id,                           -- the submission
    metric,                                  -- name of the metric
    signature_id,                            -- how it was computed
    coalesce(mean, score) AS score,          -- its score: the mean over trials; NULL where undefined
    submission_score.sentences,              -- sentences it is computed over
    CASE WHEN mean IS NULL THEN undefined_reason END AS undefined_reason, -- why the score is NULL
    coalesce(nullif(trials, 0), 1) AS trials, -- trials with a score; 1 where there are no others
    trial_sd                                 -- standard deviation of their scores; NULL of a single one
FROM submission_score
LEFT JOIN of_trials USING (submission_id, metric, signature_id);
