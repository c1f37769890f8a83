-- superseded_in_use: one row per superseded scoring and thing that still rests on it.
-- An analysis rests on the newest scorings there were when it was run; a derived metric on the
-- statistics of its base at the time.
CREATE OR REPLACE TEMP TABLE superseded_in_use AS
WITH scored AS (
    SELECT target AS submission_id, metric, signature_id, revision
    FROM scoring
    WHERE metric <> 'treebank_analysis'
),
analysed AS (
    SELECT
        scored.*,
        analysis.analysis AS used_by
    FROM current_analysis
    JOIN analysis USING (submission_id, signature_id)
    JOIN scored ON scored.submission_id = analysis.submission_id AND scored.revision <= analysis.revision
    LEFT JOIN error_mining
        ON error_mining.submission_id = analysis.submission_id
        AND error_mining.signature_id = analysis.signature_id
    WHERE CASE analysis.analysis
        WHEN 'error_mining' THEN scored.metric = error_mining.metric
        WHEN 'entropy' THEN scored.metric = 'dea'
        ELSE analysis.analysis <> 'significance'
    END
    QUALIFY row_number() OVER (
        PARTITION BY analysis.submission_id, analysis.signature_id, scored.metric
        ORDER BY scored.revision DESC
    ) = 1
),
tested AS (
    SELECT scored.*, 'significance' AS used_by
    FROM (FROM analysis WHERE analysis = 'significance') AS analysis
    JOIN scored
        ON scored.submission_id = analysis.submission_id
        AND scored.signature_id = split_part(signature, '|scores:', 2)
    QUALIFY row_number() OVER (
        PARTITION BY scored.submission_id, scored.metric ORDER BY analysis.revision DESC
    ) = 1
),
used AS (
    FROM analysed
    UNION ALL
    FROM tested
    UNION ALL
    SELECT scored.*, NULL FROM scored SEMI JOIN current_scoring USING (submission_id, signature_id)
),
base AS (
    SELECT scored.*, used.metric AS used_by
    FROM used
    JOIN (SELECT unnest($derived::VARCHAR[]) AS metric, unnest($bases::VARCHAR[]) AS base) AS derived
        ON derived.metric = used.metric
    JOIN scored
        ON scored.submission_id = used.submission_id
        AND scored.metric = derived.base
        AND scored.revision <= used.revision
    QUALIFY row_number() OVER (
        PARTITION BY used.submission_id, used.signature_id, scored.metric
        ORDER BY scored.revision DESC
    ) = 1
)
SELECT DISTINCT submission_id, metric, signature_id, used_by
FROM (FROM used UNION ALL FROM base)
SEMI JOIN superseded_scorings USING (submission_id, signature_id)
WHERE used_by IS NOT NULL AND list_contains($submissions, submission_id);
