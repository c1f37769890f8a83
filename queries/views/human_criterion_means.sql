-- human_criterion_means: one row per submission and criterion: mean human scores over the sentences that were judged.
-- grain: submission_id, criterion
-- reads: submission_identity
-- group: people
-- Averaged in ascending order: the last digit depends on it, and equal scores have equal means.
CREATE OR REPLACE VIEW human_criterion_means AS
WITH mean AS (
    SELECT
        submission_id,
        criterion,
        avg(z_score ORDER BY z_score) AS z_mean,
        avg(raw_mean ORDER BY raw_mean) AS raw_mean,
        count(z_score) AS sentences
    FROM human_score
    GROUP BY submission_id, criterion
)
SELECT
    identity.* EXCLUDE (params, tags),
    criterion,    -- what was judged
    z_mean,       -- mean z-score
    raw_mean,     -- mean raw score, 0 to 100
    sentences,    -- sentences with a z-score
    identity.params,
    identity.tags
FROM mean
JOIN submission_identity AS identity USING (submission_id);
