-- metric_settings: one row per test set, metric that has settings of its own, and settings it was computed with: which are the score?
-- grain: treebank_id, metric, settings
-- group: score
-- The first scoring over all sentences chooses; 'tracker choose' and --elect choose others.
CREATE OR REPLACE VIEW metric_settings AS
SELECT
    signature.treebank_id,                                     -- the test set
    scoring.metric,                                            -- grammar, form, smatch or s2match: what goes with it follows
    metric_choice(scoring.metric, signature.parameters)
        AS settings,                                           -- rules, language model or parser, and what else was chosen
    coalesce(chosen.settings = metric_choice(scoring.metric, signature.parameters), false)
        AS is_chosen,                                          -- whether these are the score
    count(DISTINCT scoring.target) AS submissions,             -- submissions that are scored so
    max(scoring.scored_at) AS scored_at,                       -- when the last one was
    any_value(chosen.chosen_at)
        FILTER (chosen.settings = metric_choice(scoring.metric, signature.parameters))
        AS chosen_at                                           -- when they were chosen; NULL where they are not
FROM scoring
JOIN signature USING (signature_id, metric)
LEFT JOIN standing_choice AS chosen
    ON chosen.treebank_id = signature.treebank_id AND chosen.metric = scoring.metric
WHERE scoring.metric IN ('grammar', 'form', 'smatch', 's2match')
GROUP BY ALL
ORDER BY treebank_id, metric, is_chosen DESC, settings;
