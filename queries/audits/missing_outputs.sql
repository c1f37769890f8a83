-- missing_outputs: one row per score of a missing output that is not 0, or of TER not 1, as the shared tasks count it.
SELECT
    submission_id,  -- the submission
    sentence_no,    -- the sentence without an output
    metric,         -- the metric
    score           -- its score
FROM sentence_score
SEMI JOIN (FROM output WHERE text IS NULL) AS missing USING (submission_id, sentence_no)
WHERE score <> if(metric = 'ter', 1, 0)
    -- What another package's metric gives a missing output is its own affair.
    AND metric IN (
        'bleu', 'bleu_13a', 'bleu_smoothed', 'bleu_lemma', 'nist', 'nist4', 'dist', 'dist_pooled',
        'chrf', 'ter', 'dea'
    );
