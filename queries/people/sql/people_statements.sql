-- counted_annotators: a table with one row per criterion and annotator of a campaign ($campaign_id) of the $annotators ('all' or 'passing').
CREATE OR REPLACE TEMP TABLE counted_annotator AS
SELECT DISTINCT annotator_id, criterion
FROM annotator_quality
WHERE campaign_id = $campaign_id AND ($annotators = 'all' OR coalesce(passed, false));

-- failed_annotators: one row per annotator and criterion of a campaign that failed quality control.
SELECT
    annotator_id, criterion, reason, degraded_difference, degraded_pairs, degraded_p_value,
    repeat_difference, repeat_pairs, reference_mean, references_judged
FROM annotator_quality
WHERE campaign_id = $campaign AND list_contains($criteria, criterion) AND NOT passed
ORDER BY criterion, annotator_id;

-- judgements_at_hand: a table with one row per judgement of a campaign, on one criterion or all.
CREATE TEMP TABLE judgement_at_hand AS
FROM judgement
WHERE campaign_id = $campaign_id AND criterion = coalesce($criterion, criterion)
ORDER BY judgement_no;

-- store_human_comparison: one row of human_comparison per ordered pair of the submissions compared.
INSERT INTO human_comparison BY NAME
SELECT $campaign_id AS campaign_id, $annotators AS annotators, compared_submissions.*
FROM compared_submissions
ORDER BY ALL;

-- store_rank_clusters: cluster and ranks of the submissions to a treebank, in their rows of human_ranking.
UPDATE human_ranking
SET cluster = ranked.cluster, rank_from = ranked.rank_from, rank_to = ranked.rank_to
FROM ranked_submissions AS ranked
WHERE human_ranking.campaign_id = $campaign_id
    AND human_ranking.annotators = $annotators
    AND human_ranking.treebank_id = ranked.treebank_id
    AND human_ranking.criterion = ranked.criterion
    AND human_ranking.submission_id = ranked.submission_id;

-- uncalibrated_annotators: one row per criterion at hand: how many judged outputs of the test set $calibration, and who did not.
SELECT
    criterion,
    count(*) FILTER (WHERE judged) AS judged,
    coalesce(list(annotator_id ORDER BY annotator_id) FILTER (WHERE NOT judged), []) AS missing
FROM (
    SELECT
        criterion, annotator_id,
        bool_or(treebank_id = $calibration AND kind IN ('ordinary', 'repeat') AND submission_id IS NOT NULL)
            AS judged
    FROM judgement_at_hand
    GROUP BY ALL
)
GROUP BY criterion
ORDER BY criterion;
