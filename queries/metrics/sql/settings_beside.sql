-- settings_beside: one row per test set whose chosen settings are others than those of some signatures: the chosen ones.
-- $signatures: ids of signatures.
-- grain: treebank_id
SELECT treebank_id, string_agg(DISTINCT choice || ': ' || chosen.settings, ', ' ORDER BY choice || ': ' || chosen.settings) AS settings
FROM signature_settings AS going
JOIN standing_choice AS chosen USING (treebank_id)
WHERE list_contains($signatures, signature_id) AND decides
    AND chosen.metric = choice AND going.settings <> chosen.settings
GROUP BY treebank_id
ORDER BY treebank_id;
