-- correlation_medians: one row per method and pair of measures: their correlation over the submissions that count.
-- grain: method, unit, measure, other_measure
-- reads: measure_correlations, selected_submissions
-- group: ask why
-- Median over submissions as in Shimorina et al. 2021, Figure 2a. Of those with a coefficient of the
-- pair count whom the macro who_counts tells.
CREATE OR REPLACE VIEW correlation_medians AS
WITH counted AS (
    SELECT correlation.*
    FROM measure_correlations AS correlation
    JOIN selected_submissions AS entry USING (submission_id)
    QUALIFY who_counts(entry, row(method, unit, measure, other_measure, coefficient IS NULL))
)
SELECT
    method,                                                             -- spearman, pearson or kendall
    unit,                                                               -- what is counted: sentence or relation
    measure,                                                            -- a metric, a human criterion, a complexity measure or entropy
    other_measure,                                                      -- the other one
    count(coefficient)                            AS submissions,         -- submissions that count where the coefficient is defined
    median(coefficient)                           AS coefficient_median,  -- median of the submissions, -1 to 1
    avg(coefficient ORDER BY submission_id)       AS coefficient_mean,    -- their mean
    avg((p_holm < 0.05)::INTEGER)                 AS significant          -- share of them with a corrected p-value below 0.05
FROM counted
GROUP BY method, unit, measure, other_measure;
