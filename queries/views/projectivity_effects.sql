-- projectivity_effects: one row per submission and metric: whether projective sentences score otherwise than the others.
-- grain: submission_id, metric
-- reads: current_analysis, submission_identity
-- group: ask why
-- formerly: projectivity_tests
-- Two-sided Mann-Whitney U test (Shimorina et al. 2021, section 5.2, Table 3). Which treebanks are
-- tested and what counts as projective are settings: of several settings the newest shows.
CREATE OR REPLACE VIEW projectivity_effects AS
SELECT
    identity.* EXCLUDE (params, tags),
    projectivity_test.metric,                     -- a metric or a human criterion
    projectivity_test.projective,                 -- projective sentences with a score
    projectivity_test.non_projective,             -- non-projective sentences with a score
    projectivity_test.projective_median,          -- median score of the projective sentences
    projectivity_test.non_projective_median,      -- median score of the non-projective sentences
    projectivity_test.u,                          -- Mann-Whitney U of the projective sentences
    projectivity_test.p_value,                    -- two-sided
    projectivity_test.rank_biserial,              -- effect size, -1 to 1; above 0 where projective sentences score higher
    projectivity_test.undefined_reason,           -- why U is NULL
    analysis.signature,                           -- what makes it comparable
    identity.params,
    identity.tags
FROM current_analysis
JOIN analysis USING (signature_id, submission_id)
JOIN projectivity_test USING (signature_id, submission_id)
JOIN submission_identity AS identity USING (submission_id)
QUALIFY row_number() OVER (
    PARTITION BY submission_id, projectivity_test.metric
    ORDER BY analysis.revision DESC, signature_id
) = 1;
