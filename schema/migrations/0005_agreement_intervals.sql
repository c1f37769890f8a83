-- Agreement of annotators: intervals, and what was resampled.

ALTER TABLE annotator_agreement ADD COLUMN low DOUBLE;

ALTER TABLE annotator_agreement ADD COLUMN high DOUBLE;

ALTER TABLE annotator_agreement ADD COLUMN resampling_unit VARCHAR;

ALTER TABLE annotator_agreement ADD COLUMN clusters INTEGER;

ALTER TABLE annotator_agreement ADD COLUMN no_interval VARCHAR;

COMMENT ON COLUMN annotator_agreement.low IS 'lower end of its 95% bootstrap interval, for these annotators';

COMMENT ON COLUMN annotator_agreement.high IS 'upper end';

COMMENT ON COLUMN annotator_agreement.resampling_unit IS 'what was drawn whole: document, text or sentence, of intra annotator or HIT; NULL where nothing was';

COMMENT ON COLUMN annotator_agreement.clusters IS 'how many of these there were';

COMMENT ON COLUMN annotator_agreement.no_interval IS 'why there is no interval';

UPDATE annotator_agreement SET no_interval = 'not stored yet: ''tracker human'' stores it';

COMMENT ON COLUMN suspicion.p_value IS 'one-sided exact test: does it go with failure? Fisher''s, or by length for counts of errors';
