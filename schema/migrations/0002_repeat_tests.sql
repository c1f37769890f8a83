ALTER TABLE annotator_quality ADD COLUMN repeat_p_value DOUBLE;
