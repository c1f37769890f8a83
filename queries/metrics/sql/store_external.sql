-- store_external: puts the new scores of changed_external in place of those stored, and forgets analyses of these.
DELETE FROM analysis
WHERE submission_id IN (SELECT submission_id FROM changed_external WHERE is_stored);

INSERT INTO sentence_score
SELECT
    signature_id, submission_id, sentence_no, metric, new_sentence.score,
    CASE
        WHEN new_sentence.score IS NOT NULL THEN NULL
        WHEN scored = 0 THEN 'scores of sentences are not given'
        ELSE 'no score is given'
    END
FROM new_sentence
JOIN new_submission USING (submission_id, signature_id)
JOIN pending USING (submission_id, signature_id)
SEMI JOIN changed_external USING (submission_id);

INSERT INTO submission_score
SELECT
    signature_id, submission_id, metric, score, CASE WHEN scored > 0 THEN scored ELSE outputs END,
    CASE WHEN score IS NULL THEN 'no score is given' END
FROM new_submission
JOIN pending USING (submission_id, signature_id)
SEMI JOIN changed_external USING (submission_id);
