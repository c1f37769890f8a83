ALTER TABLE annotator_quality ADD COLUMN repeat_p_value DOUBLE;
COMMENT ON COLUMN annotator_quality.repeat_p_value IS 'two-sided: do repeats differ from their originals?';
