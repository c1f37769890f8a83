-- judged_sentences: one row per treebank, criterion and submission: its judged sentences that have a score, in their order.
-- The lists are their numbers, scores, documents, domains and z-scores (of those that have one).
SELECT
    treebank_id,
    criterion,
    submission_id,
    coalesce(list(sentence_no ORDER BY sentence_no) FILTER (WHERE score IS NOT NULL), [])
        AS sentence_nos,
    coalesce(list(score ORDER BY sentence_no) FILTER (WHERE score IS NOT NULL), []) AS scores,
    coalesce(list(document ORDER BY sentence_no) FILTER (WHERE score IS NOT NULL), []) AS documents,
    coalesce(list(domain ORDER BY sentence_no) FILTER (WHERE score IS NOT NULL), []) AS domains,
    coalesce(list(z_mean ORDER BY sentence_no) FILTER (WHERE z_mean IS NOT NULL), []) AS z_scores
FROM ranked_sentence
WHERE campaign_id = $campaign_id
GROUP BY treebank_id, criterion, submission_id
ORDER BY treebank_id, criterion, submission_id;
