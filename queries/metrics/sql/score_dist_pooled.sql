-- score_dist_pooled: DIST by the longer side, the submission's score being pooled over its sentences.
INSERT INTO sentence_score
SELECT
    signature_id, submission_id, sentence_no, metric,
    1 - edits / nullif(greatest(output_length, reference_length), 0),
    CASE WHEN greatest(output_length, reference_length) = 0 THEN 'neither reference nor output has words' END
FROM edit_match JOIN pending USING (signature_id, submission_id);

INSERT INTO submission_score
SELECT
    signature_id, submission_id, any_value(metric),
    1 - sum(edits) / nullif(sum(greatest(output_length, reference_length)), 0), count(*),
    CASE WHEN sum(greatest(output_length, reference_length)) = 0
        THEN 'neither references nor outputs have words' END
FROM edit_match JOIN pending USING (signature_id, submission_id)
GROUP BY signature_id, submission_id;
