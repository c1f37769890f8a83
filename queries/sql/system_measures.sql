-- system_measures: one row per test set, measure and system that counts of some submissions.
-- Who counts: macro who_counts, by campaign and treebank. A system with several scores is named with iteration and track.
WITH counted AS (
    SELECT entry.submission_id
    FROM selected_submissions AS entry
    QUALIFY who_counts(entry, row(entry.campaign_id, entry.treebank_id))
)
SELECT
    campaign_id,
    year,
    treebank_id,
    language,
    measure,
    kind,
    system_id
    || CASE WHEN count(*) OVER together > 1 THEN '@' || iteration ELSE '' END
    || CASE WHEN min(track) OVER together < max(track) OVER together THEN ' ' || track ELSE '' END
        AS system,
    score
FROM submission_measures
SEMI JOIN counted USING (submission_id)
WHERE score IS NOT NULL
    AND (list_contains($measures, measure) OR list_contains($kinds, kind))
WINDOW together AS (PARTITION BY campaign_id, treebank_id, measure, system_id)
ORDER BY year, campaign_id, treebank_id, measure, system;
