-- judged_z_scores: one row per treebank, criterion and submission: the z-scores of its judged sentences.
SELECT
    treebank_id,
    criterion,
    submission_id,
    coalesce(list(z_mean ORDER BY sentence_no) FILTER (WHERE z_mean IS NOT NULL), []) AS z_scores
FROM human_sentence
WHERE campaign_id = $campaign_id
GROUP BY treebank_id, criterion, submission_id
ORDER BY treebank_id, criterion, submission_id;
