-- store_rank_clusters: cluster and ranks of the submissions to a treebank, in their rows of human_ranking.
UPDATE human_ranking
SET cluster = ranked.cluster, rank_from = ranked.rank_from, rank_to = ranked.rank_to
FROM ranked_submissions AS ranked
WHERE human_ranking.campaign_id = $campaign_id
    AND human_ranking.annotators = $annotators
    AND human_ranking.treebank_id = ranked.treebank_id
    AND human_ranking.criterion = ranked.criterion
    AND human_ranking.submission_id = ranked.submission_id;
