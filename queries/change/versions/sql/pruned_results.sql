-- pruned_results: one row per submission and signature whose results can go, and what they are.
CREATE OR REPLACE TEMP TABLE pruned_result AS
WITH scored AS (
    SELECT submission_id, signature_id
    FROM superseded_scorings
    ANTI JOIN superseded_in_use USING (submission_id, signature_id)
    WHERE list_contains($submissions, submission_id)
)
SELECT submission_id, signature_id, 'scoring' AS kind
FROM scored
UNION ALL
SELECT submission_id, signature_id, 'analysis'
FROM analysis
ANTI JOIN current_analysis USING (submission_id, signature_id)
WHERE analysis <> 'significance' AND list_contains($submissions, submission_id)
UNION ALL
SELECT analysis.submission_id, analysis.signature_id, 'analysis'
FROM (FROM analysis WHERE analysis = 'significance') AS analysis
JOIN scored
    ON scored.submission_id = analysis.submission_id
    AND scored.signature_id = split_part(signature, '|scores:', 2);
