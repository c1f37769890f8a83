-- pending_treebanks: one row per treebank that a version of the analyses has not analysed yet.
SELECT treebank_id
FROM treebank
ANTI JOIN (FROM scoring WHERE signature_id = $version) AS scoring ON target = treebank_id
ORDER BY treebank_id;
