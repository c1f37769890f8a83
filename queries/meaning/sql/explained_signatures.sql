-- explained_signatures: one row per signature that all the submissions were scored with by a metric, the chosen first, then the newest.
-- Scores over all sentences come before those that leave parses of low quality out.
SELECT
    signature_id,
    signature.parameters ->> '$.parser' AS parser,
    signature.parameters ->> '$.top' AS top,
    signature.parameters ->> '$.mode' AS mode,
    signature.parameters ->> '$.model' AS model
FROM scoring
JOIN signature USING (signature_id, metric)
LEFT JOIN passed_over_signature AS passed_over USING (signature_id)
WHERE metric = $metric
    AND list_contains($submissions::VARCHAR[], target)
    AND ($parser IS NULL OR (signature.parameters ->> '$.parser') = $parser)
GROUP BY ALL
HAVING count(DISTINCT target) = len($submissions)
ORDER BY any_value(passed_over.signature_id) IS NOT NULL, any_value((signature.parameters ->> '$.quality') IS NOT NULL), max(scoring.revision) DESC, parser, signature_id;
