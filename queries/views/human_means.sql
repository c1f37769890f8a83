-- human_means: one row per submission: mean human scores over the sentences that were judged.
-- grain: submission_id
-- reads: submission_identity
-- group: people
-- Averaged in ascending order: the last digit depends on it, and equal scores have equal means.
CREATE OR REPLACE VIEW human_means AS
WITH mean AS (
    SELECT
        submission_id,
        avg(z_score ORDER BY z_score)   FILTER (WHERE criterion = 'adequacy') AS adequacy_z,
        avg(raw_mean ORDER BY raw_mean) FILTER (WHERE criterion = 'adequacy') AS adequacy_raw,
        avg(z_score ORDER BY z_score)   FILTER (WHERE criterion = 'fluency')  AS fluency_z,
        avg(raw_mean ORDER BY raw_mean) FILTER (WHERE criterion = 'fluency')  AS fluency_raw,
        count(DISTINCT sentence_no) AS judged_sentences
    FROM human_score
    GROUP BY submission_id
)
SELECT
    identity.* EXCLUDE (params, tags),
    adequacy_z,          -- mean z-score of adequacy
    adequacy_raw,        -- mean raw adequacy, 0 to 100
    fluency_z,           -- mean z-score of fluency
    fluency_raw,         -- mean raw fluency, 0 to 100
    judged_sentences,    -- sentences with a human score
    identity.params,
    identity.tags
FROM mean
JOIN submission_identity AS identity USING (submission_id);
