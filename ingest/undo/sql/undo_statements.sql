-- analyses_of_outdated_human_scores: one row per analysis of a submission that loses its scores made of judgements.
-- Reads the temporary table judged_campaign. Intervals and tests of metrics do not rest on human scores.
CREATE TEMP TABLE outdated_analysis AS
SELECT DISTINCT signature_id, submission_id
FROM analysis
SEMI JOIN (FROM human_score WHERE source = 'judgements') AS lost USING (submission_id)
JOIN submission USING (submission_id)
WHERE analysis.analysis <> 'significance' AND campaign_id IN (FROM judged_campaign);

-- judged_campaigns_of_removed: one row per campaign that stays and whose people judged removed submissions.
-- Reads the temporary table removed.
CREATE TEMP TABLE judged_campaign AS
WITH gone AS (
    SELECT id AS submission_id FROM removed WHERE kind = 'submission'
),
judged AS (
    SELECT submission_id FROM human_score
    UNION
    SELECT submission_id FROM judgement
)
SELECT DISTINCT campaign_id
FROM submission
SEMI JOIN gone USING (submission_id)
SEMI JOIN judged USING (submission_id)
WHERE campaign_id NOT IN (SELECT id FROM removed WHERE kind = 'campaign');

-- remove_outdated_human_scores: removes scores made of judgements, where an annotator's mean now rests on fewer.
-- Reads the temporary table judged_campaign. Scores that files brought stay.
DELETE FROM human_score
WHERE source = 'judgements' AND submission_id IN (
    SELECT submission_id FROM submission WHERE campaign_id IN (FROM judged_campaign)
);

-- remember_removed: notes what is removed by its id, and its content by its hash, so that copies of it do not come back.
-- Reads the temporary table removed.
DELETE FROM removal WHERE (kind, target) IN (SELECT (kind, id) FROM removed);
INSERT INTO removal
SELECT kind, id, sha256, $tool, now()
FROM removed
JOIN (
    SELECT 'submission' AS kind, submission_id AS id, sha256 FROM submission
    UNION ALL SELECT 'treebank', treebank_id, sha256 FROM treebank
    UNION ALL SELECT 'system', system_id, NULL FROM system
    UNION ALL SELECT 'campaign', campaign_id, NULL FROM campaign
) USING (kind, id);

-- rename_analyses: lets analyses name the renamed signature that they rest on, and adds their new ids to renamed.
-- Reads the temporary table renamed. An analysis over several signatures names none of them: it keeps its id.
INSERT INTO renamed
SELECT DISTINCT
    'signature',
    analysis.signature_id,
    left(sha256(replace(signature, '|scores:' || old_id, '|scores:' || new_id)), 12)
FROM analysis
JOIN renamed ON what = 'signature' AND ends_with(signature, '|scores:' || old_id);
UPDATE analysis
SET signature = replace(signature, '|scores:' || old_id, '|scores:' || new_id)
FROM renamed
WHERE what = 'signature' AND ends_with(signature, '|scores:' || old_id);

-- rename_campaign: lets a campaign's name follow its id where it had no other.
UPDATE campaign SET name = $new WHERE campaign_id = $new AND name = $old;

-- rename_ingestions: gives ingestions of renamed targets the ids that loading under the new name would give them.
UPDATE ingestion
SET ingestion_id = sha256(concat_ws(chr(10), kind, target, sha256))
WHERE ingestion_id <> sha256(concat_ws(chr(10), kind, target, sha256));

-- rename_outlier_systems: renames the systems, as SYSTEM or SYSTEM@ITERATION, that agreements left out as outliers.
-- Reads the temporary table renamed.
UPDATE metric_agreement SET removed = relabelled.systems
FROM (
    SELECT campaign_id, treebank_id, removed AS systems_before, list(coalesce(new_label, label) ORDER BY place) AS systems
    FROM (
        SELECT DISTINCT
            campaign_id, treebank_id, removed,
            unnest(removed) AS label, generate_subscripts(removed, 1) AS place
        FROM metric_agreement
    ) AS outlier
    LEFT JOIN (
        SELECT
            split_part(new_id, '/', 1) AS campaign_id,
            regexp_replace(split_part(new_id, '/', 3), '@[0-9]+$', '') AS treebank_id,
            split_part(old_id, '/', 2) || coalesce(nullif(regexp_extract(old_id, '@[0-9]+$'), ''), '') AS label,
            split_part(new_id, '/', 2) || coalesce(nullif(regexp_extract(new_id, '@[0-9]+$'), ''), '') AS new_label
        FROM renamed
        WHERE what = 'submission'
    ) AS relabelling USING (campaign_id, treebank_id, label)
    GROUP BY ALL
) AS relabelled
WHERE metric_agreement.campaign_id = relabelled.campaign_id
    AND metric_agreement.treebank_id = relabelled.treebank_id
    AND metric_agreement.removed = relabelled.systems_before;

-- rename_signatures: gives signatures the text that names their renamed treebank, and adds their new ids to renamed.
-- Reads the temporary table renamed. A signature's id is the short hash of its text.
INSERT INTO renamed
SELECT
    'signature',
    signature_id,
    left(sha256(replace(signature, '|treebank:' || old_id || '|', '|treebank:' || new_id || '|')), 12)
FROM signature
JOIN renamed ON what = 'treebank' AND old_id = treebank_id
WHERE signature_id = left(sha256(signature), 12);
UPDATE signature
SET signature = replace(signature, '|treebank:' || old_id || '|', '|treebank:' || new_id || '|')
FROM renamed
WHERE what = 'treebank' AND old_id = treebank_id AND signature_id = left(sha256(signature), 12);

-- renamed_sides: makes the temporary table renamed_side, one row per submission that is named after what is renamed.
-- $kind and $changed say which: the submission itself, or those of a campaign, system or treebank.
CREATE TEMP TABLE renamed_side AS
SELECT submission_id
FROM submission
WHERE $changed = CASE $kind
    WHEN 'campaign' THEN campaign_id
    WHEN 'system' THEN system_id
    WHEN 'treebank' THEN treebank_id
    ELSE submission_id
END;

-- renamed_submissions: adds one row per submission in renamed_side whose id does not say what it is to the temporary table renamed.
INSERT INTO renamed
SELECT 'submission', submission_id, composed
FROM (
    SELECT
        submission_id,
        concat_ws('/', campaign_id, system_id, treebank_id)
        || CASE WHEN iteration > 1 THEN '@' || iteration ELSE '' END AS composed
    FROM submission
    SEMI JOIN renamed_side USING (submission_id)
)
WHERE composed <> submission_id;

-- renamed_trials: adds one row per further trial of a submission that gets another id to the temporary table renamed.
INSERT INTO renamed
SELECT 'submission', trial_submission_id, new_id || '#' || trial_no
FROM trial
JOIN renamed ON what = 'submission' AND old_id = submission_id
WHERE trial_no > 1;

-- renumbered_judgements: numbers the judgements of campaigns that lost some from 1 again, in their order.
-- Reads the temporary table judged_campaign.
UPDATE judgement SET judgement_no = renumbered.number
FROM (
    SELECT
        campaign_id, judgement_no,
        row_number() OVER (PARTITION BY campaign_id ORDER BY judgement_no)::INTEGER AS number
    FROM judgement
    WHERE campaign_id IN (FROM judged_campaign)
) AS renumbered
WHERE judgement.campaign_id = renumbered.campaign_id
    AND judgement.judgement_no = renumbered.judgement_no;

-- signatures_of_removed_rule_sets: one row per signature of checks by rules of a removed rule set.
-- Reads the temporary table removed.
SELECT 'signature' AS kind, signature_id AS id
FROM signature
WHERE (parameters ->> '$.rules') IN (SELECT id FROM removed WHERE kind = 'rule_set');

-- trials_of_removed: one row per trial of a removed submission: its outputs and scores go too.
SELECT 'submission' AS kind, trial_submission_id AS id
FROM trial
WHERE submission_id IN (SELECT id FROM removed WHERE kind = 'submission');
