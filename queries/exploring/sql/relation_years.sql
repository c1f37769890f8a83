-- relation_years: one row per year, test set and kind of system: how much of a dependency relation the newest runs find.
SELECT
    year, campaign_id, treebank_id, system_kind, count(*) AS systems,
    max(dea) AS best, median(dea) AS median, min(dea) AS worst
FROM dea_by_relation
SEMI JOIN (FROM submission QUALIFY is_newest(submission)) AS newest USING (submission_id)
WHERE deprel = $deprel AND year IS NOT NULL
GROUP BY year, campaign_id, treebank_id, system_kind
ORDER BY treebank_id, system_kind, year, campaign_id;
