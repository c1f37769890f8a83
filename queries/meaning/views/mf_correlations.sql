-- mf_correlations: one row per campaign, treebank and pair of metrics: how alike they score the systems, where an MF-score is among their metrics.
-- grain: campaign_id, treebank_id, metric, other_metric
-- reads: current_scoring, selected_submissions
-- group: grammar and meaning
-- Opitz & Frank 2021, Table 2. Who counts: macro who_counts, by campaign and treebank. Ranks of equal scores are their mean rank.
CREATE OR REPLACE VIEW mf_correlations AS
WITH latest AS (
    SELECT entry.campaign_id, entry.treebank_id, entry.submission_id
    FROM selected_submissions AS entry
    QUALIFY who_counts(entry, row(entry.campaign_id, entry.treebank_id))
),
entry AS (
    SELECT campaign_id, treebank_id, submission_id, metric, score, signature_id
    FROM latest
    JOIN current_scoring USING (submission_id)
    JOIN submission_score USING (submission_id, metric, signature_id)
    SEMI JOIN (
        SELECT campaign_id, treebank_id
        FROM latest JOIN current_scoring USING (submission_id)
        WHERE metric = 'mf_1'
    ) AS wanted USING (campaign_id, treebank_id)
    WHERE score IS NOT NULL
),
pair AS (
    SELECT
        entry.campaign_id,
        entry.treebank_id,
        entry.submission_id,
        entry.metric,
        other.metric AS other_metric,
        entry.score,
        other.score AS other_score,
        entry.signature_id,
        other.signature_id AS other_signature_id
    FROM entry
    JOIN entry AS other
        ON other.submission_id = entry.submission_id AND other.metric > entry.metric
),
ranked AS (
    SELECT
        *,
        mean_rank(score, row(campaign_id, treebank_id, metric, other_metric)) AS place,
        mean_rank(other_score, row(campaign_id, treebank_id, metric, other_metric)) AS other_place
    FROM pair
),
correlated AS (
    SELECT
        campaign_id,
        treebank_id,
        metric,
        other_metric,
        count(*) AS systems,
        count(DISTINCT signature_id) AS signatures,
        count(DISTINCT other_signature_id) AS other_signatures,
        min(score) < max(score) AND min(other_score) < max(other_score) AS varies,
        corr(score, other_score ORDER BY submission_id) AS pearson,
        corr(place, other_place ORDER BY submission_id) AS spearman
    FROM ranked
    GROUP BY ALL
)
SELECT
    campaign_id,                                                 -- the campaign
    campaign.year,                                               -- its year
    treebank_id,                                                 -- the treebank
    treebank.language,                                           -- its language
    metric,                                                      -- a metric
    other_metric,                                                -- another metric, later in the alphabet
    systems,                                                     -- systems with a score by both
    CASE WHEN systems > 2 AND varies THEN pearson END AS pearson, -- Pearson's correlation of their scores, -1 to 1
    CASE WHEN systems > 2 AND varies THEN spearman END AS spearman, -- Spearman's correlation of their ranks, -1 to 1
    signatures = 1 AND other_signatures = 1 AS comparable,       -- whether all scores by one metric were computed alike
    CASE
        WHEN systems < 3 THEN 'fewer than three systems'
        WHEN NOT varies THEN 'all systems have the same score'
    END AS undefined_reason                                      -- why there is no correlation
FROM correlated
JOIN campaign USING (campaign_id)
JOIN treebank USING (treebank_id)
ORDER BY campaign_id, treebank_id, metric, other_metric;
