-- score_dea: share of reference edges found, of each output and of each submission.
INSERT INTO sentence_score
WITH found AS (
    SELECT signature_id, submission_id, sentence_no, avg(found) AS dea
    FROM edge_match JOIN pending USING (signature_id, submission_id)
    GROUP BY ALL
)
SELECT
    pending.signature_id, pending.submission_id, output.sentence_no, pending.metric, found.dea,
    CASE WHEN found.dea IS NULL THEN 'the reference has no edge' END
FROM pending
JOIN output USING (submission_id)
LEFT JOIN found USING (signature_id, submission_id, sentence_no);

INSERT INTO submission_score
SELECT
    pending.signature_id, pending.submission_id, pending.metric, avg(found),
    count(DISTINCT sentence_no),
    CASE WHEN count(found) = 0 THEN 'the references have no edge' END
FROM pending
LEFT JOIN edge_match USING (signature_id, submission_id)
GROUP BY ALL;
