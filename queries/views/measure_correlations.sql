-- measure_correlations: one row per submission, method and pair of measures: how they go together.
-- grain: submission_id, method, unit, measure, other_measure
-- reads: current_analysis, submission_identity
-- group: ask why
-- listed: first
-- formerly: correlations
-- Spearman's rho over sentences with Holm-Bonferroni correction (Shimorina et al. 2021, section 4);
-- over relations, entropy goes with accuracy (section 5.3). Of several conventions of complexity
-- the newest shows.
CREATE OR REPLACE VIEW measure_correlations AS
SELECT
    identity.* EXCLUDE (params, tags),
    correlation.method,            -- spearman, pearson or kendall
    correlation.unit,              -- what is counted: sentence or relation
    correlation.measure,           -- a metric, a human criterion, a complexity measure or entropy
    correlation.other_measure,     -- the other one
    correlation.n,                 -- sentences or relations that have both
    correlation.coefficient,       -- rho, r or tau-b, -1 to 1; NULL where undefined
    correlation.p_value,           -- two-sided
    correlation.p_holm,            -- the same, corrected over its family (Holm-Bonferroni)
    correlation.family,            -- asked: the measures asked for, corrected together; exploratory: alone
    correlation.family_size,       -- p-values that were corrected together
    correlation.undefined_reason,  -- why the coefficient is NULL
    analysis.signature,            -- what makes it comparable
    identity.params,
    identity.tags
FROM current_analysis
JOIN analysis USING (signature_id, submission_id)
JOIN correlation USING (signature_id, submission_id)
JOIN submission_identity AS identity USING (submission_id)
QUALIFY row_number() OVER (
    PARTITION BY identity.submission_id, correlation.method, unit, correlation.measure, other_measure
    ORDER BY analysis.revision DESC, signature_id
) = 1;
