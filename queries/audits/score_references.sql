-- score_references: one row per signature and submission with scores or counts that refer to something which is not there.
WITH result AS (
    SELECT 'ngram_match' AS result, signature_id, submission_id, sentence_no FROM ngram_match
    UNION ALL SELECT 'edit_match', signature_id, submission_id, sentence_no FROM edit_match
    UNION ALL SELECT 'statistic_match', signature_id, submission_id, sentence_no FROM statistic_match
    UNION ALL SELECT 'part_match', signature_id, submission_id, sentence_no FROM part_match
    UNION ALL SELECT 'edge_outcome', signature_id, submission_id, sentence_no FROM edge_outcome
    -- themes add rows here
    UNION ALL SELECT 'sentence_score', signature_id, submission_id, sentence_no FROM sentence_score
),
owner AS (
    SELECT DISTINCT result, signature_id, submission_id FROM result
    UNION ALL
    SELECT 'submission_score', signature_id, submission_id FROM submission_score
)
SELECT
    'signature' AS missing,  -- what is not there
    result,                  -- the table that refers to it
    signature_id,            -- the signature
    submission_id,           -- the submission
    NULL::INTEGER AS sentence_no  -- the sentence
FROM owner
ANTI JOIN signature USING (signature_id)
UNION ALL
SELECT 'submission', result, signature_id, submission_id, NULL
FROM owner
ANTI JOIN scored_run USING (submission_id)
UNION ALL
SELECT 'output', result, signature_id, submission_id, sentence_no
FROM result
ANTI JOIN output USING (submission_id, sentence_no)
UNION ALL
SELECT 'reference edge', 'edge_outcome', signature_id, submission_id, sentence_no
FROM edge_outcome
JOIN scored_run USING (submission_id)
LEFT JOIN reference_edges USING (treebank_id, sentence_no)
WHERE len(found) IS DISTINCT FROM len(token_nos)
UNION ALL
SELECT 'treebank of the signature', result, signature_id, submission_id, NULL
FROM owner
JOIN signature USING (signature_id)
JOIN scored_run USING (submission_id)
WHERE signature.treebank_id <> scored_run.treebank_id
UNION ALL
SELECT 'treebank of the signature', 'signature', signature_id, NULL, NULL
FROM signature
ANTI JOIN treebank USING (treebank_id);
