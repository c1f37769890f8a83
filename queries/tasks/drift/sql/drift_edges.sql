-- drift_edges: one row per submission, relation and sentence with edges of it: [edges found, edges].
-- Reads the temporary table drift_run: submission_id, signature_id.
SELECT submission_id, deprel, sentence_no, [sum(found), count(*)]::DOUBLE[] AS statistics
FROM edge_match
SEMI JOIN drift_run USING (submission_id, signature_id)
WHERE deprel IS NOT NULL
GROUP BY ALL
ORDER BY ALL;
