-- elect_settings: the settings of some signatures become the score of their test sets.
-- $signatures: ids of signatures.
INSERT INTO standing_choice
SELECT treebank_id, metric, any_value(metric_choice(metric, parameters)), now()
FROM signature
WHERE list_contains($signatures, signature_id) AND metric IN ('grammar', 'form', 'smatch', 's2match')
GROUP BY treebank_id, metric;
