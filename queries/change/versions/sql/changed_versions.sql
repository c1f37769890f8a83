-- changed_versions: one row per two of some treebanks that are versions of one test set with other references.
SELECT
    earlier_treebank_id AS old,
    treebank_id AS new,
    shared_sentences,
    text_changed,
    words_changed,
    lemmas_changed,
    trees_changed
FROM test_set_versions
WHERE NOT same_data
    AND list_contains($treebanks, treebank_id) AND list_contains($treebanks, earlier_treebank_id)
ORDER BY old, new;
