-- passed_over_signature: one row per way of computing a metric that is not the chosen one of its test set.
-- grain: signature_id
-- reads: signature_settings
-- group: internal
-- Choices that nothing is scored with any more count no longer.
CREATE OR REPLACE VIEW passed_over_signature AS
WITH going AS (
    SELECT signature_id, treebank_id, choice, going.settings, chosen.settings AS chosen, decides
    FROM signature_settings AS going
    JOIN standing_choice AS chosen USING (treebank_id)
    WHERE choice = chosen.metric
)
SELECT DISTINCT
    signature_id -- how it was computed
FROM going
SEMI JOIN (
    FROM going SEMI JOIN scoring USING (signature_id) WHERE decides AND settings = chosen
) AS scored USING (treebank_id, choice)
WHERE settings <> chosen;
