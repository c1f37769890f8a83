-- sentence_metrics: one row per metric by which some submissions have a score, or may have where their references have words: first what most of them have scores of sentences by, of several the usual one.
SELECT metric
FROM current_scoring
JOIN submission_score USING (submission_id, metric, signature_id)
JOIN submission USING (submission_id)
JOIN treebank USING (treebank_id)
WHERE ($submissions IS NULL OR list_contains($submissions, submission_id))
    AND ($campaign IS NULL OR campaign_id = $campaign)
    AND ($treebank IS NULL OR treebank_id = $treebank)
    AND ($system IS NULL OR system_id = $system)
    AND list_contains($metrics, metric)
    AND (score IS NOT NULL OR tokens > 0 OR hidden_text)
GROUP BY metric
ORDER BY
    count(*) FILTER (WHERE submission_score.sentences > 0 AND score IS NOT NULL) DESC,
    list_position($metrics, metric);
