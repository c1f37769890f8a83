-- human_measures: one row per measure of what people said of outputs: adequacy_z, mqm_errors.
-- grain: source
SELECT DISTINCT source
FROM measure_state
WHERE ends_with(source, '_z') OR ends_with(source, '_errors')
ORDER BY source;
