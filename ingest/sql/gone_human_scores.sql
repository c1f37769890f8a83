-- gone_human_scores: one row per stored score of a source that is not among those staged of its submissions and criteria.
SELECT submission_id, sentence_no, criterion
FROM human_score
SEMI JOIN staged_scores USING (submission_id, criterion)
WHERE
    source = $source
    AND (submission_id, sentence_no, criterion)
    NOT IN (SELECT (submission_id, sentence_no, criterion) FROM staged_scores);
