-- Faults to plant in intervals and tested changes, each below the audit and what that says of it.

-- significance: interval that no analysis recorded
UPDATE score_interval SET submission_id = 'x' WHERE metric = 'bleu';
DELETE FROM analysis;

-- significance: not the score of the submission
UPDATE score_interval SET score = score + 0.01 WHERE metric = 'nist';

-- significance: without value or reason
UPDATE score_interval SET low = NULL WHERE metric = 'dist' AND low IS NOT NULL;
UPDATE score_interval SET undefined_reason = 'x' WHERE undefined_reason IS NULL;
UPDATE change SET undefined_reason = NULL;

-- significance: out of range
UPDATE score_interval SET low = high + 1 WHERE metric = 'dist';
UPDATE change SET p_value = 0 WHERE p_value IS NOT NULL;
UPDATE change SET p_value = 1.1, p_holm = 1.1 WHERE p_value IS NOT NULL;
UPDATE change SET low = high + 1 WHERE low IS NOT NULL;

-- significance: corrected below itself
UPDATE change SET p_holm = p_value / 2;

-- significance: not the difference of the values
UPDATE change SET difference = difference + 0.01;

-- change_base_submission_id
UPDATE change SET base_submission_id = 'x';

-- change_settings_id
DELETE FROM comparison;
