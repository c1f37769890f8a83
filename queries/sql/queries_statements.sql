-- fill_choices: signatures from before choices were stored with them get theirs.
UPDATE signature SET choices = settings_choices(metric, text_level, parameters, versions)
WHERE choices IS NULL;

-- pending_sizes: one row per submission to compute for: its treebank and how many sentences that has.
SELECT treebank_id, submission_id, coalesce(sentences, 0) AS sentences
FROM submission
LEFT JOIN treebank USING (treebank_id)
WHERE list_contains($submissions, submission_id)
ORDER BY treebank_id, submission_id;

-- pending_treebanks: one row per treebank that a version of the analyses has not analysed yet.
SELECT treebank_id
FROM treebank
ANTI JOIN (FROM scoring WHERE signature_id = $version) AS scoring ON target = treebank_id
ORDER BY treebank_id;

-- shared_test_sets: one row per test set of some submissions: its language, its size, and its licence where a tag says it.
SELECT
    treebank_id,
    language,
    sentences,
    min(tag.value) AS licence
FROM treebank
LEFT JOIN tag ON tag.kind = 'treebank' AND tag.target = treebank_id AND lower(tag.name) IN ('licence', 'license')
WHERE treebank_id IN (SELECT treebank_id FROM submission WHERE list_contains($submissions, submission_id))
GROUP BY ALL
ORDER BY treebank_id;
