-- settings_beside: one row per test set whose chosen settings are others than those of some signatures: the chosen ones.
-- $signatures: ids of signatures.
-- grain: treebank_id
SELECT treebank_id, any_value(chosen.settings) AS settings
FROM signature
JOIN standing_choice AS chosen USING (treebank_id, metric)
WHERE list_contains($signatures, signature_id) AND metric_choice(metric, parameters) <> chosen.settings
GROUP BY treebank_id
ORDER BY treebank_id;
