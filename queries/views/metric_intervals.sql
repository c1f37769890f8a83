-- metric_intervals: one row per submission and metric: its score with a confidence interval.
-- grain: submission_id, metric
-- reads: current_scoring, submission_identity
-- group: compare and follow
-- listed: first
-- formerly: score_intervals
-- Test sets are resampled by documents, equal texts or sentences (Koehn 2004, section 3; Field and Welsh 2007).
-- Where fewer than ten of them differ there is none, but of shares of what is right or wrong (of sentences, relations, items),
-- which have the exact one (Clopper and Pearson 1934), counts divided by the design effect of what is resampled (Rao and Scott 1992).
-- What rests on outputs that were replaced since is left out.
CREATE OR REPLACE VIEW metric_intervals AS
WITH recorded AS (
    SELECT submission_id, split_part(signature, '|scores:', 2) AS signature_id
    FROM analysis
    WHERE analysis = 'significance'
)
SELECT
    identity.* EXCLUDE (params, tags),
    metric,                              -- name of the metric
    score_interval.score,                -- the score: 0 to 1, NIST in bits; NULL where undefined
    score_interval.low,                  -- lower end of its interval; NULL where undefined
    score_interval.high,                 -- upper end
    score_interval.level,                -- share of the replicates within, such as 0.95
    score_interval.replicates,           -- number of resampled test sets
    score_interval.seed,                 -- seed of the resampling
    score_interval.sentences,            -- sentences that were resampled
    score_interval.resampling_unit,      -- what was drawn whole: document, text or sentence
    score_interval.clusters,             -- how many of these there were
    score_interval.undefined_reason,     -- why there is no interval
    signature.signature AS signature,    -- what makes the scores comparable
    identity.params,
    identity.tags
FROM current_scoring
JOIN score_interval USING (submission_id, metric, signature_id)
SEMI JOIN recorded USING (submission_id, signature_id)
JOIN signature USING (signature_id, metric)
JOIN submission_identity AS identity USING (submission_id);
