-- scorings: one row per metric of a submission that is not scored as it says: incomplete, unrecorded or of other data.
WITH scored AS (
    SELECT target AS submission_id, signature_id, metric, data_sha256
    FROM scoring
    WHERE metric <> 'treebank_analysis'
),
sentences AS (
    SELECT submission_id, signature_id, metric, count(*) AS scores
    FROM sentence_score
    GROUP BY ALL
),
edges AS (
    SELECT submission_id, signature_id, sum(len(found)) AS edges FROM edge_outcome GROUP BY ALL
),
outputs AS (
    SELECT submission_id, count(*) AS outputs FROM output GROUP BY ALL
),
reference_edges AS (
    SELECT treebank_id, count(*) AS edges FROM reference_edge GROUP BY ALL
),
similarity AS (
    SELECT submission_id, signature_id, metric, (parameters ->> 'sense-weight') IS NOT NULL AS weighed
    FROM scored
    JOIN signature USING (signature_id, metric)
    WHERE metric = 's2match'
),
score AS (
    SELECT submission_id, signature_id, metric FROM submission_score
    UNION
    SELECT submission_id, signature_id, metric FROM sentences
)
SELECT
    'no score of the submission' AS fault,  -- what is wrong
    submission_id,                          -- the submission
    metric,                                 -- the metric
    signature_id                            -- its signature
FROM scored
ANTI JOIN submission_score USING (submission_id, signature_id, metric)
UNION ALL
SELECT 'sentences without a score', submission_id, metric, signature_id
FROM scored
JOIN outputs USING (submission_id)
LEFT JOIN sentences USING (submission_id, signature_id, metric)
WHERE outputs <> coalesce(scores, 0)
UNION ALL
SELECT 'edges that were not looked for', submission_id, metric, signature_id
FROM scored
JOIN scored_run USING (submission_id)
JOIN treebank USING (treebank_id)
LEFT JOIN reference_edges USING (treebank_id)
LEFT JOIN edges USING (submission_id, signature_id)
WHERE metric = 'dea' AND NOT hidden_text
    AND coalesce(reference_edges.edges, 0) <> coalesce(edges.edges, 0)
UNION ALL
SELECT 'edges that the reference has not', submission_id, signature.metric, signature_id
FROM edge_outcome
JOIN signature USING (signature_id)
JOIN scored_run USING (submission_id)
LEFT JOIN main.reference_edges AS known
    ON known.treebank_id = scored_run.treebank_id AND known.sentence_no = edge_outcome.sentence_no
WHERE len(found) IS DISTINCT FROM len(token_nos)
UNION ALL
SELECT 'signature of another treebank', submission_id, scored.metric, signature_id
FROM scored
JOIN signature USING (signature_id)
JOIN scored_run USING (submission_id)
WHERE signature.treebank_id <> scored_run.treebank_id
UNION ALL
SELECT 'score that no scoring recorded', submission_id, metric, signature_id
FROM score
ANTI JOIN scored USING (submission_id, signature_id, metric)
UNION ALL
SELECT 'another metric than the signature has', submission_id, scored.metric, signature_id
FROM scored
JOIN signature USING (signature_id)
WHERE signature.metric <> scored.metric
UNION ALL
SELECT 'submission or signature not there', submission_id, scored.metric, signature_id
FROM scored
LEFT JOIN scored_run USING (submission_id)
LEFT JOIN signature USING (signature_id)
WHERE scored_run.sha256 IS NULL OR signature.signature IS NULL
UNION ALL
SELECT 'scored from other outputs', submission_id, metric, signature_id
FROM scored
JOIN scored_run USING (submission_id)
WHERE scored.data_sha256 <> scored_run.sha256
UNION ALL
SELECT 'senses count in full: score the meaning again', submission_id, metric, signature_id
FROM (FROM similarity WHERE NOT weighed)
ANTI JOIN (FROM similarity WHERE weighed) USING (submission_id)
UNION ALL
SELECT 'analysed from another treebank', target, metric, signature_id
FROM scoring
LEFT JOIN treebank ON treebank_id = target
WHERE metric = 'treebank_analysis'
    AND scoring.data_sha256 IS DISTINCT FROM treebank.sha256;
