-- year_entries: one row per test set that a campaign with a year used, and track.
SELECT
    year,
    campaign_id,
    treebank_id,
    test_set.language,
    test_set.corpus,
    test_set.split,
    track,
    test_set.sentences,
    treebank.sha256
FROM year_test_sets AS test_set
JOIN treebank USING (treebank_id)
JOIN (SELECT DISTINCT campaign_id, treebank_id, track FROM submission)
    USING (campaign_id, treebank_id)
ORDER BY year, campaign_id, treebank_id, track;
