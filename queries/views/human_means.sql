-- human_means: one row per submission: mean human scores over the sentences that were judged.
-- grain: submission_id
-- reads: human_criterion_means, submission_identity
-- group: people
CREATE OR REPLACE VIEW human_means AS
WITH mean AS (
    SELECT
        submission_id,
        any_value(z_mean)   FILTER (WHERE criterion = 'adequacy') AS adequacy_z,
        any_value(raw_mean) FILTER (WHERE criterion = 'adequacy') AS adequacy_raw,
        any_value(z_mean)   FILTER (WHERE criterion = 'fluency')  AS fluency_z,
        any_value(raw_mean) FILTER (WHERE criterion = 'fluency')  AS fluency_raw
    FROM human_criterion_means
    GROUP BY submission_id
),
judged AS (
    SELECT submission_id, count(DISTINCT sentence_no) AS judged_sentences
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
JOIN judged USING (submission_id)
JOIN submission_identity AS identity USING (submission_id);
