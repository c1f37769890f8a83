-- flaky_sentences: one row per submission, sentence and metric: how much its score differs between trials.
-- grain: submission_id, sentence_no, metric
-- reads: current_scoring, submission_identity
-- group: ask why
-- Of submissions with several trials, sentences whose scores differ; of a metric that is yes or no these flip.
CREATE OR REPLACE VIEW flaky_sentences AS
WITH of_trials AS (
    SELECT
        trial.submission_id,
        sentence_score.sentence_no,
        sentence_score.metric,
        count(score)                 AS trials,
        avg(score)                   AS mean,
        stddev_samp(score)           AS sd,
        min(score)                   AS lowest,
        max(score)                   AS highest,
        bool_and(score IN (0, 1))    AS is_yes_or_no,
        count(*) FILTER (score = CASE WHEN better = 'lower' THEN 0 ELSE 1 END) AS passed,
        count(DISTINCT output.text)  AS distinct_outputs
    FROM trial
    JOIN current_scoring USING (submission_id)
    JOIN sentence_score
        ON sentence_score.submission_id = trial.trial_submission_id
        AND sentence_score.signature_id = current_scoring.signature_id
        AND sentence_score.metric = current_scoring.metric
    JOIN signature ON signature.signature_id = current_scoring.signature_id
    JOIN output
        ON output.submission_id = trial.trial_submission_id
        AND output.sentence_no = sentence_score.sentence_no
    GROUP BY trial.submission_id, sentence_score.sentence_no, sentence_score.metric
)
SELECT
    identity.* EXCLUDE (params, tags),
    of_trials.sentence_no,                                -- the sentence
    sentence.sent_id,                                     -- its sent_id in the treebank
    sentence.text AS reference,                           -- the reference text
    of_trials.metric,                                     -- the metric
    of_trials.trials,                                     -- trials with a score of the sentence
    of_trials.distinct_outputs,                           -- different outputs among them
    of_trials.mean,                                       -- mean of the trials' sentence scores
    of_trials.sd,                                         -- their standard deviation
    of_trials.lowest,                                     -- the lowest of them
    of_trials.highest,                                    -- the highest
    CASE WHEN is_yes_or_no THEN of_trials.passed END AS passed, -- trials that pass, where all scores are 0 or 1
    identity.params,
    identity.tags
FROM of_trials
JOIN submission_identity AS identity USING (submission_id)
JOIN sentence
    ON sentence.treebank_id = identity.treebank_id
    AND sentence.sentence_no = of_trials.sentence_no
WHERE of_trials.highest > of_trials.lowest
ORDER BY identity.submission_id, of_trials.metric, of_trials.sd DESC, of_trials.sentence_no;
