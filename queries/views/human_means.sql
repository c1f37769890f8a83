-- human_means: one row per submission: mean human scores over the sentences that were judged.
-- Averaged in the order of the sentences: the last digit depends on it.
CREATE OR REPLACE VIEW human_means AS
SELECT
    submission_id,                                                                                 -- the submission
    avg(z_score ORDER BY sentence_no)  FILTER (WHERE criterion = 'adequacy') AS adequacy_z,        -- mean z-score of adequacy
    avg(raw_mean ORDER BY sentence_no) FILTER (WHERE criterion = 'adequacy') AS adequacy_raw,      -- mean raw adequacy, 0 to 100
    avg(z_score ORDER BY sentence_no)  FILTER (WHERE criterion = 'fluency')  AS fluency_z,         -- mean z-score of fluency
    avg(raw_mean ORDER BY sentence_no) FILTER (WHERE criterion = 'fluency')  AS fluency_raw,       -- mean raw fluency, 0 to 100
    count(DISTINCT sentence_no)                                              AS judged_sentences   -- sentences with a human score
FROM human_score
GROUP BY submission_id;
