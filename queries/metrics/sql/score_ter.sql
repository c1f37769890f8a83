-- score_ter: TER of each output and of each submission, edits by words of the references; less is better.
-- Snover et al. 2006, section 3. Above 1 where an output is longer than its reference by much. Lengths
-- are summed in the order of the sentences: the last digit of a sum of means depends on it.
INSERT INTO sentence_score
SELECT
    signature_id, submission_id, sentence_no, metric,
    edits / nullif(reference_length, 0),
    CASE WHEN reference_length = 0 THEN 'the reference has no words' END
FROM edit_match JOIN pending USING (signature_id, submission_id);

INSERT INTO submission_score
SELECT
    signature_id, submission_id, any_value(metric),
    sum(edits) / nullif(sum(reference_length ORDER BY sentence_no), 0), count(*),
    CASE WHEN sum(reference_length) = 0 THEN 'the references have no words' END
FROM edit_match JOIN pending USING (signature_id, submission_id)
GROUP BY signature_id, submission_id;
