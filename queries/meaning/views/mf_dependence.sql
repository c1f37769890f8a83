-- mf_dependence: one row per campaign, treebank, measure and two settings: how alike systems are scored by two parsers, bounds of quality or language models.
-- grain: campaign_id, treebank_id, metric, measure, setting, other_setting
-- reads: form_by_model, meaning_by_parser, selected_submissions
-- group: grammar and meaning
-- Opitz & Frank 2021, sections 5.1 and 5.2: what MF-scores depend on. Who counts: macro who_counts, by campaign and treebank.
-- The upper bound is no system. Ranks of equal scores are their mean rank.
CREATE OR REPLACE VIEW mf_dependence AS
WITH latest AS (
    SELECT entry.campaign_id, entry.treebank_id, entry.submission_id
    FROM selected_submissions AS entry
    QUALIFY who_counts(entry, row(entry.campaign_id, entry.treebank_id))
),
by_setting AS (
    SELECT
        submission_id,
        metric,
        parser || coalesce(' ≥ ' || quality, '') AS setting,
        unnest([
            {'measure': metric, 'score': f1},
            {'measure': 'mf_1', 'score': mf_1},
            {'measure': 'mf_0.5', 'score': mf_05}
        ]) AS item
    FROM meaning_by_parser
    UNION ALL
    SELECT submission_id, 'form', model, {'measure': 'form', 'score': form}
    FROM form_by_model
),
entry AS (
    SELECT
        latest.campaign_id,
        latest.treebank_id,
        latest.submission_id,
        by_setting.metric,
        by_setting.setting,
        by_setting.item.measure AS measure,
        by_setting.item.score AS score
    FROM latest
    JOIN by_setting USING (submission_id)
    WHERE by_setting.item.score IS NOT NULL
),
pair AS (
    SELECT
        one.* EXCLUDE (setting, score),
        one.setting,
        other.setting AS other_setting,
        one.score,
        other.score AS other_score
    FROM entry AS one
    JOIN entry AS other USING (submission_id, metric, measure)
    WHERE one.setting < other.setting
),
ranked AS (
    SELECT
        *,
        mean_rank(score, row(campaign_id, treebank_id, metric, measure, setting, other_setting)) AS place,
        mean_rank(other_score, row(campaign_id, treebank_id, metric, measure, setting, other_setting)) AS other_place
    FROM pair
),
correlated AS (
    SELECT
        campaign_id,
        treebank_id,
        metric,
        measure,
        setting,
        other_setting,
        count(*) AS systems,
        count(*) > 2 AND min(score) < max(score) AND min(other_score) < max(other_score) AS is_defined,
        corr(score, other_score ORDER BY submission_id) AS pearson,
        corr(place, other_place ORDER BY submission_id) AS spearman,
        count_if(place <> other_place)::BIGINT AS moved,
        avg(other_score - score ORDER BY submission_id) AS difference
    FROM ranked
    GROUP BY ALL
)
SELECT
    campaign_id,                                      -- the campaign
    campaign.year,                                    -- its year
    treebank_id,                                      -- the treebank
    treebank.language,                                -- its language
    metric,                                           -- whose settings they are: smatch, s2match or form
    measure,                                          -- what is scored: this metric, or the MF-score that it is part of, mf_1 or mf_0.5
    setting,                                          -- a parser, with the bound of quality where there is one, or a language model
    other_setting,                                    -- another one, later in the alphabet
    systems,                                          -- systems with a score by both
    CASE WHEN is_defined THEN pearson END AS pearson, -- Pearson's correlation of their scores, -1 to 1
    CASE WHEN is_defined THEN spearman END AS spearman, -- Spearman's correlation of their ranks, -1 to 1
    moved,                                            -- systems whose place is another by the other setting
    difference,                                       -- how much higher the other's scores are, in the mean of the systems
    CASE
        WHEN systems < 3 THEN 'fewer than three systems'
        WHEN NOT is_defined THEN 'all systems have the same score'
    END AS undefined_reason                           -- why there is no correlation
FROM correlated
JOIN campaign USING (campaign_id)
JOIN treebank USING (treebank_id)
ORDER BY campaign_id, treebank_id, metric, measure, setting, other_setting;
