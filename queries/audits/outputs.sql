-- outputs: one row per sentence of a submission's treebank without an output row, and per output that no sentence asks for.
SELECT
    'no output row' AS fault,  -- what is wrong
    submission_id,             -- the submission
    sentence_no                -- the sentence
FROM (FROM scored_run JOIN sentence USING (treebank_id))
ANTI JOIN output USING (submission_id, sentence_no)
UNION ALL
SELECT 'no sentence', submission_id, sentence_no
FROM (FROM scored_run JOIN output USING (submission_id))
ANTI JOIN sentence USING (treebank_id, sentence_no)
UNION ALL
SELECT 'blank output that does not count as missing', submission_id, sentence_no
FROM output
WHERE trim(text) = ''
UNION ALL
SELECT 'words of a missing output', submission_id, sentence_no
FROM output_words
SEMI JOIN (FROM output WHERE text IS NULL) AS missing USING (submission_id, sentence_no)
UNION ALL
SELECT 'lists of words that do not fit each other', submission_id, sentence_no
FROM output_words
WHERE greatest(len(lemmas), len(upos), len(xpos), len(feats), len(heads), len(deprels)) > len(forms)
    OR least(len(lemmas), len(upos), len(xpos), len(feats), len(heads), len(deprels)) < len(forms)
    OR list_min(punctuation) < 1
    OR list_max(punctuation) > len(forms)
    OR len(punctuation) <> list_unique(punctuation);
