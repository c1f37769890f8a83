-- ingestions: one row per treebank or submission that no ingestion recorded, or that is not what was recorded.
WITH loaded AS (
    SELECT 'treebank' AS kind, treebank_id AS target, sha256 FROM treebank
    UNION ALL
    SELECT 'submission', submission_id, sha256 FROM submission
)
SELECT
    loaded.kind,                            -- treebank or submission
    loaded.target,                          -- its id
    loaded.sha256,                          -- hash of what is there
    ingestion.sha256 AS recorded_sha256     -- hash of what was recorded
FROM loaded
LEFT JOIN ingestion ON ingestion.kind = loaded.kind AND ingestion.target = loaded.target
WHERE ingestion.sha256 IS DISTINCT FROM loaded.sha256;
