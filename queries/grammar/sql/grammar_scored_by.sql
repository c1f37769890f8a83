-- grammar_scored_by: one row per rule set and way of counting that a submission was scored by: the chosen first, then the newest.
SELECT
    parameters ->> '$.rules' AS rule_set_id,
    parameters ->> '$.applicable' AS applicable
FROM scoring
JOIN signature USING (signature_id, metric)
LEFT JOIN passed_over_signature AS passed_over USING (signature_id)
WHERE metric = 'grammar' AND target = $submission
ORDER BY passed_over.signature_id IS NOT NULL, scoring.revision DESC, signature_id;
