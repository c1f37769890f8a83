-- metric_settings: one row per test set, what has settings, and settings that scores were computed with: which are the score?
-- grain: treebank_id, metric, settings
-- reads: signature_settings
-- group: score
-- The first scoring over all sentences chooses; 'tracker keep choose' and --elect choose others.
CREATE OR REPLACE VIEW metric_settings AS
SELECT
    going.treebank_id,                                         -- the test set
    going.choice AS metric,                                    -- grammar, form, smatch, s2match, mf (which of these two is its meaning), references (of metrics that can use several), or a metric of a package or computed elsewhere
    going.settings,                                            -- rules, language model, parser, which references, version or model, and what else was chosen
    coalesce(chosen.settings = going.settings, false)
        AS is_chosen,                                          -- whether these are the score
    count(DISTINCT scoring.target) AS submissions,             -- submissions that are scored so
    max(scoring.scored_at) AS scored_at,                       -- when the last one was
    any_value(chosen.chosen_at)
        FILTER (chosen.settings = going.settings) AS chosen_at -- when they were chosen; NULL where they are not
FROM scoring
JOIN (FROM signature_settings WHERE decides) AS going USING (signature_id)
LEFT JOIN standing_choice AS chosen
    ON chosen.treebank_id = going.treebank_id AND chosen.metric = going.choice
GROUP BY ALL
ORDER BY treebank_id, metric, is_chosen DESC, settings;
