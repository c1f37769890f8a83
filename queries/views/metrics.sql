-- metrics: one row per metric: what it is called, what its scores mean, which are better and what limits they have.
-- grain: metric
-- reads: signature_settings
-- group: score
-- listed: first
CREATE OR REPLACE VIEW metrics AS
WITH known (place, metric, label, meaning, better, unit, lowest, highest, missing, has_formula) AS (
    SELECT {position}, '{metric}', '{label}', '{meaning}', '{better}', '{unit}', {lowest}, {highest}, {missing}, {has_formula} UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL::DOUBLE, NULL::DOUBLE, NULL::DOUBLE, NULL::BOOLEAN
)
SELECT
    metric,      -- its name, in the columns metric and measure
    label,       -- its name in headings
    meaning,     -- what a column of its scores holds
    better,      -- which scores are better: higher or lower
    unit,        -- in what differences are told: points are hundredths
    lowest,      -- scores are this at least; NULL where no limit is known
    highest,     -- scores are this at most
    missing,     -- the score of a missing output; NULL where that is the metric's own affair
    has_formula, -- whether it is known how its corpus score comes from sums over sentences
    settings     -- by test set, the chosen settings of a metric that has some, references among them; NULL for all others
FROM known
LEFT JOIN (
    SELECT metric, string_agg(treebank_id || ': ' || settings, '; ' ORDER BY treebank_id, settings) AS settings
    FROM (
        SELECT DISTINCT going.metric, treebank_id, CASE WHEN choice = going.metric THEN '' ELSE choice || ' ' END || chosen.settings AS settings
        FROM standing_choice AS chosen
        JOIN (FROM signature_settings WHERE decides) AS going USING (treebank_id)
        WHERE choice = chosen.metric
    )
    GROUP BY metric
) AS chosen USING (metric)
WHERE metric IS NOT NULL
ORDER BY place;
