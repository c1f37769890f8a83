-- choose_first_settings: the settings of some signatures become the score of test sets that have none chosen of their metric.
-- $signatures: ids of signatures. Settings that leave sentences out are not chosen.
INSERT INTO standing_choice
SELECT treebank_id, metric, any_value(metric_choice(metric, parameters)), now()
FROM signature
ANTI JOIN standing_choice USING (treebank_id, metric)
WHERE list_contains($signatures, signature_id) AND metric IN ('grammar', 'form', 'smatch', 's2match')
    AND (parameters ->> '$.quality') IS NULL
GROUP BY treebank_id, metric;
