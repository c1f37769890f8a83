-- human_summary: one row per submission that was judged: means of its human scores on the two usual criteria.
-- grain: submission_id
-- group: internal
-- Averaged in ascending order: the last digit depends on it, and equal scores have equal means.
CREATE OR REPLACE VIEW human_summary AS
SELECT
    submission_id,                                    -- the submission
    avg(z_score ORDER BY z_score)
        FILTER (WHERE criterion = 'adequacy')
        AS adequacy_z,                                -- mean z-score of adequacy
    avg(raw_mean ORDER BY raw_mean)
        FILTER (WHERE criterion = 'adequacy')
        AS adequacy_raw,                              -- mean raw adequacy, 0 to 100
    avg(z_score ORDER BY z_score)
        FILTER (WHERE criterion = 'fluency')
        AS fluency_z,                                 -- mean z-score of fluency
    avg(raw_mean ORDER BY raw_mean)
        FILTER (WHERE criterion = 'fluency')
        AS fluency_raw,                               -- mean raw fluency, 0 to 100
    count(DISTINCT sentence_no) AS judged_sentences   -- sentences with a human score
FROM human_score
GROUP BY submission_id;
