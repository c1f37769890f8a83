-- scores_are_yes_or_no: one row: whether a metric's scores of a test set's sentences are 0 or 1, and some of either.
SELECT coalesce(bool_and(score IN (0, 1)) AND count(DISTINCT score) = 2, false)
FROM sentence_score
JOIN submission USING (submission_id)
WHERE metric = $metric AND treebank_id = $treebank AND score IS NOT NULL;
