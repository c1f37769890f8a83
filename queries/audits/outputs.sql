-- outputs: one row per sentence of a submission's treebank without an output row, and per output that no sentence asks for.
SELECT
    'no output row' AS fault,  -- what is wrong
    submission_id,             -- the submission
    sentence_no                -- the sentence
FROM (FROM submission JOIN sentence USING (treebank_id))
ANTI JOIN output USING (submission_id, sentence_no)
UNION ALL
SELECT 'no sentence', submission_id, sentence_no
FROM (FROM submission JOIN output USING (submission_id))
ANTI JOIN sentence USING (treebank_id, sentence_no)
UNION ALL
SELECT 'blank output that does not count as missing', submission_id, sentence_no
FROM output
WHERE trim(text) = ''
UNION ALL
SELECT 'words of a missing output', submission_id, sentence_no
FROM output_token
SEMI JOIN (FROM output WHERE text IS NULL) AS missing USING (submission_id, sentence_no)
UNION ALL
SELECT 'words not numbered from 1', submission_id, sentence_no
FROM output_token
GROUP BY submission_id, sentence_no
HAVING min(token_no) <> 1 OR max(token_no) <> count(*)
    -- Positions are 1 to n if their number is n, and the sum of their squares what it then must be.
    OR max(position) <> count(position)
    OR 6 * sum(position * position) <> count(position) * (count(position) + 1) * (2 * count(position) + 1);
