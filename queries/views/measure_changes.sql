-- measure_changes: one row per verdict and measure: how it changed from the base, and whether by more than chance.
-- grain: submission_id, base_submission_id, measure
-- reads: current_comparison, measure_state, submission_identity
-- group: compare and follow
-- listed: first
CREATE OR REPLACE VIEW measure_changes AS
SELECT
    identity.* EXCLUDE (params, tags),
    change.base_submission_id,                  -- the submission that it is compared with
    base.system_id AS base_system_id,           -- the system of the base
    base.iteration AS base_iteration,           -- the iteration of the base
    change.measure,                             -- a metric, a relation dea[advcl], or what people said
    change.score,                               -- the submission's value
    change.base_score,                          -- the base's value
    change.difference,                          -- score minus base_score
    change.low,                                 -- lower end of the difference's interval, of this measure alone: resampled, where p_value comes from swaps
    change.high,                                -- upper end
    change.p_value,                             -- two-sided, of this measure alone
    change.p_holm,                              -- the same, corrected over its family (Holm)
    change.p_holm < compared.alpha
        AS significant,                         -- whether p_holm is below alpha; NULL where it could not be tested
    CASE WHEN change.better = 'higher' THEN change.difference < 0 ELSE change.difference > 0 END
        AS is_worse,                            -- whether the submission is worse than its base by it
    change.better,                              -- which values are better: higher or lower
    change.n,                                   -- sentences, or edges of a relation, that both have
    change.kind,                                -- metric, human, errors, relation, or the kind of a metric's parts
    change.family,                              -- what it is tested with: primary metrics, all parts of a kind, or alone (exploratory)
    change.family_size,                         -- how many p-values were corrected together
    change.design_effect,                       -- variance over what is resampled by that over sentences
    change.gained,                              -- edges that the submission alone has; NULL for other measures
    change.lost,                                -- edges that the base alone has
    change.test,                                -- the test behind the p-value
    change.replicates,                          -- test sets behind the p-value; NULL where it is exact
    compared.alpha,                             -- a change is significant where p_holm is below this
    change.trials,                              -- trials whose mean the score is; NULL where neither of the two has several
    change.base_trials,                         -- the same of the base
    change.trial_sd,                            -- standard deviation of the submission's trials
    change.base_trial_sd,                       -- the same of the base's
    change.sentence_p_value,                    -- p_value if no trial differed from others
    change.place,                               -- where it stands in the comparison, from 0
    change.undefined_reason,                    -- why a value, an interval or a test is NULL
    identity.params,
    identity.tags
FROM current_comparison AS compared
JOIN change USING (submission_id, base_submission_id, settings_id)
JOIN submission_identity AS identity ON identity.submission_id = change.submission_id
JOIN submission AS base ON base.submission_id = change.base_submission_id
LEFT JOIN measure_state AS own
    ON own.submission_id = change.submission_id AND own.source = split_part(change.measure, '[', 1)
LEFT JOIN measure_state AS other
    ON other.submission_id = change.base_submission_id AND other.source = split_part(change.measure, '[', 1)
WHERE own.state IS NOT DISTINCT FROM change.state AND other.state IS NOT DISTINCT FROM change.base_state;
