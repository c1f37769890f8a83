-- score_comparisons: one row per two comparable submissions and metric: is the difference of their scores more than chance?
-- grain: submission_id, other_submission_id, metric
-- reads: current_scoring, submission_identity
-- group: compare and follow
-- Paired bootstrap (Koehn 2004, section 4) and paired approximate randomisation (Riezler and
-- Maxwell 2005) over sentences. P-values are those of one pair, not corrected for their number.
-- What rests on outputs that were replaced since is left out.
CREATE OR REPLACE VIEW score_comparisons AS
WITH recorded AS (
    SELECT submission_id, metric, signature_id
    FROM current_scoring
    SEMI JOIN (
        SELECT submission_id, split_part(signature, '|scores:', 2) AS signature_id
        FROM analysis
        WHERE analysis = 'significance'
    ) AS tested USING (submission_id, signature_id)
)
SELECT
    identity.* EXCLUDE (params, tags),
    score_comparison.other_submission_id,             -- the one it is compared with
    other.campaign_id AS other_campaign_id,           -- the campaign of that one
    other.system_id AS other_system_id,               -- the system of that one
    other.iteration AS other_iteration,               -- the iteration of that one
    score_comparison.metric,                          -- name of the metric
    score_comparison.difference,                      -- score minus that of the other one; NULL where undefined
    score_comparison.low,                             -- lower end of its bootstrap interval
    score_comparison.high,                            -- upper end
    score_comparison.level,                           -- share of the replicates within, such as 0.95
    score_comparison.p_bootstrap,                     -- of the paired bootstrap, as sacreBLEU defines it
    score_comparison.p_randomisation,                 -- of paired approximate randomisation, two-sided
    score_comparison.p_bootstrap < 0.05
        AS significant_bootstrap,                     -- whether p_bootstrap is below 0.05
    score_comparison.p_randomisation < 0.05
        AS significant_randomisation,                 -- whether p_randomisation is below 0.05
    score_comparison.replicates,                      -- number of resampled and of shuffled test sets
    score_comparison.seed,                            -- seed of both
    score_comparison.sentences,                       -- sentences of both
    score_comparison.undefined_reason,                -- why there is no p-value
    signature.signature AS signature,                 -- what makes the scores comparable
    identity.params,
    identity.tags
FROM score_comparison
JOIN signature USING (signature_id, metric)
JOIN submission_identity AS identity ON identity.submission_id = score_comparison.submission_id
JOIN submission AS other ON other.submission_id = score_comparison.other_submission_id
SEMI JOIN recorded
    ON recorded.submission_id = score_comparison.submission_id
    AND recorded.metric = score_comparison.metric
    AND recorded.signature_id = score_comparison.signature_id
SEMI JOIN recorded AS other_recorded
    ON other_recorded.submission_id = score_comparison.other_submission_id
    AND other_recorded.metric = score_comparison.metric
    AND other_recorded.signature_id = score_comparison.signature_id;
