-- human_choices: one row per criterion at hand, treebank and choice of annotators: the ranking that it gives, best system first.
SELECT
    criterion,
    treebank_id,
    annotators,
    list(
        {'submission_id': submission_id, 'cluster': cluster}
        ORDER BY round(score, 12) DESC NULLS LAST, submission_id
    ) AS ranking,
    max(cluster) AS clusters,
    sum(assessments)::BIGINT AS judgements
FROM human_ranking
SEMI JOIN judgement_at_hand USING (campaign_id, criterion)
WHERE campaign_id = $campaign_id
GROUP BY ALL
ORDER BY criterion, treebank_id, annotators;
