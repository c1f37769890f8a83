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
