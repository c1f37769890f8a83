-- carried_outputs: one row per sentence of the newer version: what a submission generated for it; NULL where
-- the older one has no such sentence. Reads drift_pair.
SELECT new_no, old_no, output.text
FROM drift_pair
LEFT JOIN output ON output.submission_id = $submission AND output.sentence_no = old_no
WHERE new_no IS NOT NULL
ORDER BY new_no;

-- carried_run: one row: a submission that is carried to another version of its treebank.
SELECT
    campaign_id, system_id, treebank_id, track, iteration, created_at, reference_form, analysis,
    params, tags, source
FROM submission
WHERE submission_id = $submission;

-- carried_words: one row per analysed word of a submission's outputs, numbered as the newer version is.
-- Reads drift_pair.
SELECT output_token.* EXCLUDE (submission_id) REPLACE (new_no AS sentence_no)
FROM output_token
JOIN drift_pair ON drift_pair.old_no = output_token.sentence_no
WHERE submission_id = $submission AND new_no IS NOT NULL
ORDER BY new_no, token_no;

-- drift_edges: one row per submission, relation and sentence with edges of it: [edges found, edges].
-- Reads the temporary table drift_run: submission_id, signature_id.
SELECT submission_id, deprel, sentence_no, [sum(found), count(*)]::DOUBLE[] AS statistics
FROM edge_match
SEMI JOIN drift_run USING (submission_id, signature_id)
WHERE deprel IS NOT NULL
GROUP BY ALL
ORDER BY ALL;
