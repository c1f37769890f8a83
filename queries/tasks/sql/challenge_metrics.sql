-- challenge_metrics: one row per contrastive set, phenomenon and metric: how often it prefers the good output.
FROM challenge_by_metric
WHERE list_contains($treebanks, treebank_id)
ORDER BY treebank_id, challenge, phenomenon NULLS FIRST, preferred_rate DESC, metric;
