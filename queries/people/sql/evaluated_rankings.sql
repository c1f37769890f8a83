-- evaluated_rankings: one row per submission and criterion of what was evaluated: its place, by the annotators whose judgements count.
WITH tested AS (
    SELECT
        campaign_id, treebank_id, criterion, annotators,
        max(documents) AS documents,
        median(design_effect) AS design_effect
    FROM human_comparison
    GROUP BY ALL
)
SELECT
    campaign_id, treebank_id, criterion, system_id, iteration, score, place, cluster, rank_from, rank_to,
    raw_mean, z_mean, domains, sentences, assessments, annotators,
    tested.documents, tested.design_effect, submission_id
FROM human_leaderboard
LEFT JOIN tested USING (campaign_id, treebank_id, criterion, annotators)
WHERE chosen
    AND list_contains($evaluated, {'campaign_id': campaign_id, 'criterion': criterion})
ORDER BY campaign_id, treebank_id, criterion, place, system_id, iteration;
