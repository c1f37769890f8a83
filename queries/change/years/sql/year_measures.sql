-- year_measures: fills the temporary table year_measure: submission_measures of latest iterations on the lines in year_entry.
CREATE OR REPLACE TEMP TABLE year_measure AS
SELECT
    submission_measures.*,
    line,
    line IN (FROM year_shared_line) AS line_is_shared
FROM submission_measures
SEMI JOIN (FROM submission QUALIFY is_newest(submission)) AS newest USING (submission_id)
JOIN year_entry USING (campaign_id, treebank_id, track)
WHERE list_contains($measures, measure);
