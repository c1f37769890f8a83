-- year_metric_groups: one row per metric and submission whose score is to be computed from shared sentences.
SELECT line, treebank_id, measure, signature_id, submission_id
FROM year_measure
WHERE line_is_shared AND kind = 'metric' AND score IS NOT NULL
ORDER BY ALL;
