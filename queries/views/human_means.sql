-- human_means: one row per submission: mean human scores over the sentences that were judged.
-- grain: submission_id
-- reads: human_summary, submission_identity
-- group: people
CREATE OR REPLACE VIEW human_means AS
SELECT
    identity.* EXCLUDE (params, tags),
    adequacy_z,          -- mean z-score of adequacy
    adequacy_raw,        -- mean raw adequacy, 0 to 100
    fluency_z,           -- mean z-score of fluency
    fluency_raw,         -- mean raw fluency, 0 to 100
    judged_sentences,    -- sentences with a human score
    identity.params,
    identity.tags
FROM human_summary
JOIN submission_identity AS identity USING (submission_id);
