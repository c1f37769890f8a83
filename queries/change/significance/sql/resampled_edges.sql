-- resampled_edges: one row per output: the edges found in it, and those of its reference, none included.
WITH edges AS (
    SELECT submission_id, signature_id, sentence_no, list_sum(found) AS found, len(found) AS edges
    FROM edge_outcome
    SEMI JOIN resampled USING (submission_id, signature_id)
)
SELECT
    place,
    sentence_no,
    [coalesce(found, 0), coalesce(edges, 0)]::DOUBLE[] AS statistics
FROM resampled
JOIN output USING (submission_id)
LEFT JOIN edges USING (submission_id, signature_id, sentence_no)
ORDER BY place, sentence_no;
