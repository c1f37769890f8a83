-- score_undefined: submissions that can have no score by a metric get the reason instead.
INSERT INTO sentence_score
SELECT signature_id, submission_id, sentence_no, metric, NULL, undefined_reason
FROM pending JOIN output USING (submission_id);

INSERT INTO submission_score
SELECT signature_id, submission_id, metric, NULL, 0, undefined_reason
FROM pending;
