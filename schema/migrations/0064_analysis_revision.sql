-- analysis_revision: in which order rows of analysis were written, whatever the clock said.
ALTER TABLE analysis ADD COLUMN
    revision INTEGER;  -- number of the step that wrote the row, counted over ingestions, scorings and analyses: the higher is the newer
UPDATE analysis SET revision = step.number
FROM (
    SELECT moment, dense_rank() OVER (ORDER BY moment) AS number
    FROM (
        SELECT ingested_at AS moment FROM ingestion
        UNION
        SELECT scored_at FROM scoring
        UNION
        SELECT analysed_at FROM analysis
    )
) AS step
WHERE step.moment = analysis.analysed_at;
