-- trial_scores: one row per submission with several trials, trial and metric: the score of the trial.
-- grain: submission_id, trial_no, metric
-- reads: current_scoring, submission_identity
-- group: score
-- Trials are seeds, or samples, of one iteration; the submission's score is their mean. Metrics that need graphs, rules
-- or a model score the first trial alone.
CREATE OR REPLACE VIEW trial_scores AS
SELECT
    identity.* EXCLUDE (params, tags),
    trial.trial_no,                         -- number of the trial, from 1
    trial.label,                            -- what tells it from others, such as its file
    current_scoring.metric,                 -- name of the metric
    submission_score.score,                 -- score of the trial: 0 to 1, NIST in bits; NULL where undefined
    submission_score.sentences,             -- sentences it is computed over
    submission_score.undefined_reason,      -- why the score is NULL
    identity.params,
    identity.tags
FROM trial
JOIN submission_identity AS identity USING (submission_id)
JOIN current_scoring USING (submission_id)
JOIN submission_score
    ON submission_score.submission_id = trial.trial_submission_id
    AND submission_score.signature_id = current_scoring.signature_id
    AND submission_score.metric = current_scoring.metric;
