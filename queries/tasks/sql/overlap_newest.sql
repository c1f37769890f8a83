-- overlap_newest: one row: the training files that were looked through last for a test set.
SELECT substr(target, length($treebank) + 2) AS training
FROM ingestion
WHERE kind = 'overlap' AND starts_with(target, $treebank || ' ')
ORDER BY revision DESC
LIMIT 1;
