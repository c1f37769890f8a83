-- settings_of_metric: one row per test set and settings that a metric was computed with.
-- $metric: the metric. $treebanks: of these test sets; NULL for all.
-- grain: treebank_id, settings
SELECT treebank_id, settings
FROM metric_settings
WHERE metric = $metric AND ($treebanks IS NULL OR list_contains($treebanks, treebank_id));
