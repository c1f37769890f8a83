-- report_references: one row per treebank: the data that scores compare with.
SELECT treebank_id, language, sha256
FROM treebank
WHERE list_contains($treebanks, treebank_id)
ORDER BY treebank_id;
