-- evaluated_rankings: one row per submission and criterion of what was evaluated: its place, by the annotators whose judgements count.
SELECT
    campaign_id, treebank_id, criterion, place, raw_mean, z_mean, score, domains, sentences, assessments,
    submission_id, system_id, iteration, cluster, rank_from, rank_to, annotators
FROM human_rankings
WHERE chosen
    AND list_contains($evaluated, {'campaign_id': campaign_id, 'criterion': criterion})
ORDER BY campaign_id, treebank_id, criterion, place, system_id, iteration;
