-- scores_by_label: one row per submission, metric, label and value: the score of the sentences with the value, by the chosen settings.
-- grain: submission_id, metric, label, value
-- reads: current_scoring, submission_identity
-- group: score
-- listed: first
-- Of a label with many values those with most sentences are scored.
CREATE OR REPLACE VIEW scores_by_label AS
SELECT
    identity.* EXCLUDE (params, tags),
    metric,                                       -- name of the metric
    slice_score.label,                            -- name of the label: domain, document, length, frequency, or any other
    slice_score.value,                            -- the sentences' value of it
    slice_score.score,                            -- score of these sentences as if they were the test set; NULL where undefined
    whole.score AS whole_score,                   -- score of the whole submission
    slice_score.sentences,                        -- sentences with the value
    slice_score.undefined_reason,                 -- why the score is NULL
    identity.params,
    identity.tags
FROM current_scoring
JOIN slice_score USING (submission_id, metric, signature_id)
JOIN submission_score AS whole USING (submission_id, metric, signature_id)
JOIN submission_identity AS identity USING (submission_id);
