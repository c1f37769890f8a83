-- score_comparisons: one row per two submissions that are compared, and metric: is the difference more than chance?
-- grain: submission_id, other_submission_id, metric
-- reads: current_scoring, measure_changes, submission_identity, verdicts
-- group: old names
-- Deprecated: measure_changes has the same rows, corrected over their family.
CREATE OR REPLACE VIEW score_comparisons AS
SELECT
    identity.* EXCLUDE (params, tags),
    change.base_submission_id AS other_submission_id,  -- deprecated; the one it is compared with
    other.campaign_id AS other_campaign_id,            -- deprecated; the campaign of that one
    other.system_id AS other_system_id,                -- deprecated; the system of that one
    other.iteration AS other_iteration,                -- deprecated; the iteration of that one
    change.measure AS metric,                          -- deprecated; name of the metric
    change.difference,                                 -- deprecated; score minus that of the other one; NULL where undefined
    change.low,                                        -- deprecated; lower end of its bootstrap interval
    change.high,                                       -- deprecated; upper end
    compared.level,                                    -- deprecated; share of the replicates within, such as 0.95
    change.p_value AS p_randomisation,                 -- deprecated; of paired approximate randomisation, two-sided, not corrected
    change.p_value < 0.05
        AS significant_randomisation,                  -- deprecated; whether p_randomisation is below 0.05
    change.replicates,                                 -- deprecated; number of shuffled test sets
    compared.seed,                                     -- deprecated; seed of the resampling
    change.n AS sentences,                             -- deprecated; sentences of both
    change.undefined_reason,                           -- deprecated; why there is no p-value
    signature.signature,                               -- deprecated; what makes the scores comparable
    identity.params,
    identity.tags
FROM measure_changes AS change
JOIN verdicts AS compared USING (submission_id, base_submission_id)
JOIN submission_identity AS identity USING (submission_id)
JOIN submission AS other ON other.submission_id = change.base_submission_id
JOIN current_scoring
    ON current_scoring.submission_id = change.submission_id AND current_scoring.metric = change.measure
JOIN signature
    ON signature.signature_id = current_scoring.signature_id AND signature.metric = current_scoring.metric
WHERE change.kind = 'metric';
