-- score_dist_mean: DIST by reference length, the submission's score being the mean of its sentences.
-- 1 - edits / characters of the reference (Mille et al. 2018, section 4); below 0 where an output is
-- so much too long that more must go than the reference has. Summed in the order of the sentences:
-- the last digit of a sum depends on it.
INSERT INTO sentence_score
SELECT
    signature_id, submission_id, sentence_no, metric,
    1 - edits / nullif(reference_length, 0),
    CASE WHEN reference_length = 0 THEN 'the reference has no words' END
FROM edit_match JOIN pending USING (signature_id, submission_id);

INSERT INTO submission_score
SELECT
    signature_id, submission_id, any_value(metric),
    avg(1 - edits / nullif(reference_length, 0) ORDER BY sentence_no),
    count(nullif(reference_length, 0)),
    CASE WHEN sum(reference_length) = 0 THEN 'the references have no words' END
FROM edit_match JOIN pending USING (signature_id, submission_id)
GROUP BY signature_id, submission_id;
