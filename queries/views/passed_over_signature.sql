-- passed_over_signature: one row per way of computing a metric that is not the chosen one of its test set.
-- grain: signature_id
-- group: internal
-- Choices that nothing is scored with any more count no longer.
CREATE OR REPLACE VIEW passed_over_signature AS
SELECT DISTINCT
    signature.signature_id -- how it was computed
FROM standing_choice AS chosen
SEMI JOIN (
    SELECT treebank_id, metric, metric_choice(metric, parameters) AS settings
    FROM signature
    SEMI JOIN scoring USING (signature_id)
    WHERE metric IN ('grammar', 'form', 'smatch', 's2match')
) AS scored USING (treebank_id, metric, settings)
JOIN signature USING (treebank_id)
WHERE list_contains(chosen_with(signature.metric, signature.parameters), chosen.metric)
    AND metric_choice(chosen.metric, signature.parameters) <> chosen.settings;
