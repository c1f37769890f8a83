-- revisions: one row per ingestion, scoring or analysis whose place in the order of writing is missing, shared or contradicted by its time.
-- Views show the result of the highest revision. One that is dated before what it replaced was
-- written after the clock was set back: --as-of reads it from the time of the other on.
WITH written AS (
    SELECT 'ingestion' AS kind, target, kind AS result, '' AS signature_id, revision, ingested_at AS moment
    FROM ingestion
    UNION ALL
    SELECT 'scoring', target, metric, signature_id, revision, scored_at
    FROM scoring
    UNION ALL
    SELECT 'analysis', submission_id, concat_ws('|', analysis, settings), signature_id, revision, analysed_at
    FROM analysis
)
SELECT
    CASE
        WHEN revision IS NULL THEN 'no revision'
        WHEN count(*) OVER same > 1 THEN 'revision of several results, one of which replaced the other'
        ELSE 'dated before what it replaced: the clock was set back'
    END AS fault,           -- what is wrong
    kind,                   -- ingestion, scoring or analysis
    target,                 -- the submission, treebank or other target
    result,                 -- the metric, the analysis with its settings, or the kind of ingestion
    signature_id,           -- its signature
    revision,               -- its place in the order of writing
    moment                  -- when it was written, by the clock
FROM written
WINDOW same AS (PARTITION BY kind, target, result, revision)
QUALIFY revision IS NULL
    OR count(*) OVER same > 1
    OR moment < max(moment) OVER (PARTITION BY kind, target, result ORDER BY revision);
