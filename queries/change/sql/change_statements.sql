-- chosen_primary_metrics: one row per measure that verdicts of a campaign rest on, where somebody chose them.
-- $campaign: only this one; NULL for all.
-- grain: campaign_id, place
SELECT campaign_id, place, metric
FROM primary_metric
WHERE $campaign::VARCHAR IS NULL OR campaign_id = $campaign::VARCHAR
ORDER BY campaign_id, place;

-- gated_measures: one row per measure that one of two submissions has, and the new one's score.
SELECT measure, max(score) FILTER (submission_id = $new) AS score
FROM submission_measures
WHERE submission_id IN ($new, $base)
GROUP BY measure, kind
ORDER BY kind, measure;

-- human_measures: one row per measure of what people said of outputs: adequacy_z, mqm_errors.
-- grain: source
SELECT DISTINCT source
FROM measure_state
WHERE ends_with(source, '_z') OR ends_with(source, '_errors')
ORDER BY source;

-- run_before: one row: the run that a submission is compared with where nobody names one; NULL for a first run.
SELECT previous_run(submission) AS base_submission_id
FROM submission
WHERE submission_id = $submission;
