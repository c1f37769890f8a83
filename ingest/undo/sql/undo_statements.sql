-- analyses_of_outdated_human_scores: one row per analysis of a submission that loses its scores made of judgements.
-- Reads the temporary table judged_campaign. Intervals and tests of metrics do not rest on human scores.
CREATE TEMP TABLE outdated_analysis AS
SELECT DISTINCT signature_id, submission_id
FROM analysis
SEMI JOIN (FROM human_score WHERE source = 'judgements') AS lost USING (submission_id)
JOIN submission USING (submission_id)
WHERE analysis.analysis <> 'significance' AND campaign_id IN (FROM judged_campaign);

-- remove_outdated_human_scores: removes scores made of judgements, where an annotator's mean now rests on fewer.
-- Reads the temporary table judged_campaign. Scores that files brought stay.
DELETE FROM human_score
WHERE source = 'judgements' AND submission_id IN (
    SELECT submission_id FROM submission WHERE campaign_id IN (FROM judged_campaign)
);

-- rename_campaign: lets a campaign's name follow its id where it had no other.
UPDATE campaign SET name = $new WHERE campaign_id = $new AND name = $old;

-- rename_ingestions: gives ingestions of renamed targets the ids that loading under the new name would give them.
UPDATE ingestion
SET ingestion_id = sha256(concat_ws(chr(10), kind, target, sha256))
WHERE ingestion_id <> sha256(concat_ws(chr(10), kind, target, sha256));

-- signatures_of_removed_rule_sets: one row per signature of checks by rules of a removed rule set.
-- Reads the temporary table removed.
SELECT 'signature' AS kind, signature_id AS id
FROM signature
WHERE (parameters ->> '$.rules') IN (SELECT id FROM removed WHERE kind = 'rule_set');
