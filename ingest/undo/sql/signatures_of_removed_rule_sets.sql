-- signatures_of_removed_rule_sets: one row per signature of checks by rules of a removed rule set.
-- Reads the temporary table removed.
SELECT 'signature' AS kind, signature_id AS id
FROM signature
WHERE (parameters ->> '$.rules') IN (SELECT id FROM removed WHERE kind = 'rule_set');
