-- year_points: one row per measure and system whose latest iteration has a score, of the test sets in the temporary table year_entry.
SELECT
    measure,
    line,
    year,
    submission_id,
    system_id,
    system_kind,
    score
FROM submission_measures
SEMI JOIN (FROM submission QUALIFY is_newest(submission)) AS newest USING (submission_id)
JOIN year_entry USING (campaign_id, treebank_id, track)
WHERE score IS NOT NULL AND list_contains($measures, measure) AND list_contains($kinds, kind)
ORDER BY measure, line, year, submission_id;
