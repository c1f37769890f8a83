-- submission_references: one row per submission, output or human score that refers to something which is not there.
SELECT
    'campaign' AS missing,       -- what is not there
    submission_id,               -- the submission
    NULL::INTEGER AS sentence_no  -- the sentence
FROM submission
ANTI JOIN campaign USING (campaign_id)
UNION ALL
SELECT 'system', submission_id, NULL FROM submission ANTI JOIN system USING (system_id)
UNION ALL
SELECT 'treebank', submission_id, NULL FROM submission ANTI JOIN treebank USING (treebank_id)
UNION ALL
SELECT 'submission', submission_id, sentence_no FROM output ANTI JOIN scored_run USING (submission_id)
UNION ALL
SELECT 'output', submission_id, sentence_no
FROM output_words
ANTI JOIN output USING (submission_id, sentence_no)
UNION ALL
SELECT 'output', submission_id, sentence_no
FROM human_score
ANTI JOIN output USING (submission_id, sentence_no)
UNION ALL
SELECT 'sentence', submission_id, sentence_no
FROM judgement
ANTI JOIN sentence USING (treebank_id, sentence_no)
UNION ALL
SELECT 'output', submission_id, sentence_no
FROM (FROM judgement WHERE submission_id IS NOT NULL)
ANTI JOIN output USING (submission_id, sentence_no);
