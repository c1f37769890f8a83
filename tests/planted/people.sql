-- Faults to plant in the evaluation of people's judgements.

-- human_evaluation
UPDATE annotator_quality SET raw_mean = 101;
UPDATE annotator_quality SET reason = NULL WHERE NOT passed;
UPDATE annotator_quality SET annotator_id = 'x';
DELETE FROM judgement;
DELETE FROM standardisation;
UPDATE standardisation SET annotators = 'some';
UPDATE human_ranking SET raw_mean = -1;
UPDATE human_ranking SET treebank_id = 'x';
UPDATE human_ranking SET sentences = 0;
UPDATE annotator_agreement SET undefined_reason = NULL;
UPDATE annotator_agreement SET agreement = 2;
UPDATE annotator_agreement SET no_interval = NULL;
UPDATE annotator_agreement SET low = 1, high = 0, no_interval = NULL;
DELETE FROM human_ranking WHERE annotators = 'all';
