-- Metrics against people: p-values corrected for all pairs, and intervals for systems like these.

ALTER TABLE metric_comparison ADD COLUMN p_corrected DOUBLE;

COMMENT ON COLUMN metric_comparison.p_corrected IS 'PERM-BOTH, two-sided, corrected for all pairs of metrics (Westfall and Young): clusters';

COMMENT ON COLUMN metric_comparison.p_bootstrap IS 'two-sided, by the draws of the intervals, centred';

COMMENT ON COLUMN metric_evaluation.low IS 'lower end of its 95% bootstrap interval: items resampled (for these systems), and systems too where they are what is ordered (for systems like these)';

-- p_bootstrap: was one-sided and could be 0: 'tracker metrics' stores it anew.
UPDATE metric_comparison SET p_bootstrap = NULL;
