-- left_significance: one row: scores whose newest test of significance is of older scores.
SELECT count(*)
FROM (
    SELECT submission_id, scoring.metric, scoring.signature_id
    FROM (FROM analysis WHERE analysis = 'significance') AS analysis
    JOIN scoring
        ON scoring.target = submission_id
        AND scoring.signature_id = split_part(signature, '|scores:', 2)
    WHERE list_contains($submissions, submission_id)
    QUALIFY row_number() OVER (
        PARTITION BY submission_id, scoring.metric ORDER BY analysis.revision DESC
    ) = 1
) AS tested
ANTI JOIN current_scoring USING (submission_id, signature_id);
