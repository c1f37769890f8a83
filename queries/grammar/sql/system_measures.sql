-- system_measures: one row per test set, measure and system of a campaign: the score of its latest iteration.
WITH latest AS (
    SELECT submission_id
    FROM submission
    WHERE campaign_id = $campaign
    QUALIFY is_newest(submission)
)
SELECT year, treebank_id, language, measure, system_id, score
FROM submission_measures
SEMI JOIN latest USING (submission_id)
WHERE score IS NOT NULL AND system_kind <> 'human' AND list_contains($measures, measure)
ORDER BY treebank_id, measure, system_id, track;
