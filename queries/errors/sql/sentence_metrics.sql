-- sentence_metrics: one row per metric that some submissions are scored by, first what most of them have scores of sentences by, of several the usual one.
SELECT metric
FROM current_scoring
JOIN submission_score USING (submission_id, metric, signature_id)
JOIN submission USING (submission_id)
WHERE ($submissions IS NULL OR list_contains($submissions, submission_id))
    AND ($campaign IS NULL OR campaign_id = $campaign)
    AND ($treebank IS NULL OR treebank_id = $treebank)
    AND ($system IS NULL OR system_id = $system)
    AND list_contains($metrics, metric)
GROUP BY metric
ORDER BY
    count(*) FILTER (WHERE sentences > 0 AND score IS NOT NULL) DESC,
    list_position($metrics, metric);
