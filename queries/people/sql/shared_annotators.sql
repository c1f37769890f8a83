-- shared_annotators: one row per treebank, criterion and ordered pair of submissions of which an annotator judged both.
-- $annotators: whose judgements count, all or passing.
-- grain: treebank_id, criterion, submission_id, other_submission_id
WITH judge AS (
    SELECT DISTINCT treebank_id, criterion, submission_id, annotator_id
    FROM standardised_judgement
    WHERE $annotators = 'all' OR passed
)
SELECT DISTINCT
    treebank_id,
    criterion,
    one.submission_id,
    other.submission_id AS other_submission_id
FROM judge AS one
JOIN judge AS other USING (treebank_id, criterion, annotator_id)
WHERE one.submission_id <> other.submission_id;
