-- treebank_versions: one row per version of a treebank that was loaded from a file of that name.
SELECT treebank_id, version, sha256
FROM treebank
WHERE
    source = $source AND scheme = $scheme AND version IS NOT NULL
    AND (language, corpus, split) IS NOT DISTINCT FROM ($language, $corpus, $split)
ORDER BY treebank_id;
