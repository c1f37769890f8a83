-- grammar_scored_by: one row per rule set and way of counting that a submission was scored by, the newest first.
SELECT
    parameters ->> '$.rules' AS rule_set_id,
    parameters ->> '$.applicable' AS applicable
FROM scoring
JOIN signature USING (signature_id, metric)
WHERE metric = 'grammar' AND target = $submission
ORDER BY scoring.revision DESC, signature_id;
