-- Faults to plant in correlations, each below the audit and what that says of it.

-- analysis_submission_id
DELETE FROM submission WHERE system_id = 'ngram';

-- analysis_runs: result that no analysis recorded
DELETE FROM analysis WHERE analysis = 'entropy';
DELETE FROM analysis WHERE analysis = 'projectivity';
UPDATE analysis SET analysis = 'entropy' WHERE analysis = 'projectivity';

-- analysis_runs: entropy without its correlation
DELETE FROM correlation WHERE unit = 'relation';

-- analysis_runs: correlation of a measure with itself
UPDATE correlation SET other_measure = measure WHERE other_measure = 'dea';

-- analysis_runs: correlation that is there in both directions
UPDATE correlation SET measure = 'chrf', other_measure = 'bleu' WHERE measure = 'nist';

-- analysis_runs: correlation without value or reason
UPDATE correlation SET undefined_reason = 'x';
UPDATE correlation SET coefficient = NULL;
UPDATE correlation SET p_holm = NULL;

-- analysis_runs: correlation of fewer than three
UPDATE correlation SET n = 2;

-- analysis_runs: correlation out of range
UPDATE correlation SET coefficient = 'nan';
UPDATE correlation SET coefficient = 1.1;
UPDATE correlation SET p_holm = p_value / 2 WHERE p_value > 0;

-- analysis_runs: test of projectivity without value or reason
UPDATE projectivity_test SET u = NULL;
UPDATE projectivity_test SET projective = 0;
UPDATE projectivity_test SET projective_median = NULL;

-- analysis_runs: test of projectivity out of range
UPDATE projectivity_test SET u = -1;
UPDATE projectivity_test SET rank_biserial = 1;
