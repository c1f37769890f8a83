-- signature_settings: one row per way of computing a metric and choice of settings that it goes with.
-- grain: signature_id, choice
-- group: internal
-- Stored with each signature, by the macro settings_choices: nearly every view asks for it.
CREATE OR REPLACE VIEW signature_settings AS
WITH going AS (
    SELECT signature_id, treebank_id, metric, unnest(choices) AS choice
    FROM signature
)
SELECT
    signature_id,                              -- how it was computed
    treebank_id,                               -- the test set
    metric,                                    -- the metric
    choice.choice AS choice,                   -- what the choice is of: grammar, form, smatch, s2match, mf, references or the metric itself
    choice.settings AS settings,               -- in words, what of it others may choose differently
    choice.decides AS decides,                 -- whether scores by it make a choice; others go with it
    choice.is_partial AS is_partial            -- whether sentences are left out
FROM going
WHERE choice.choice <> 'references' OR treebank_id IN (SELECT treebank_id FROM alternative_reference);
