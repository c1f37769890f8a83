-- delete_replaced_scores: forget people's scores that those staged take the place of: their own, and their source's.
DELETE FROM human_score
WHERE
    (submission_id, criterion) IN (SELECT (submission_id, criterion) FROM staged_scores)
    AND (
        source = $source
        OR (submission_id, sentence_no, criterion)
        IN (SELECT (submission_id, sentence_no, criterion) FROM staged_scores)
    );
