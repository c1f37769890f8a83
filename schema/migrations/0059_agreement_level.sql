-- agreement_level: calls what is correlated over single outputs a sentence, as everything else does.
UPDATE metric_agreement SET level = 'sentence' WHERE level = 'segment';
COMMENT ON COLUMN metric_agreement.level IS 'what is correlated: system or sentence';
