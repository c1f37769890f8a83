-- marked_outputs: one row per output and criterion in which annotators could mark errors: what they marked.
-- grain: submission_id, sentence_no, criterion
-- group: internal
-- Degraded copies do not count. Errors of several judgements stand one after the other.
CREATE OR REPLACE VIEW marked_outputs AS
SELECT
    submission_id,                                   -- the submission
    treebank_id,                                     -- its treebank
    sentence_no,                                     -- the sentence
    criterion,                                       -- what was judged
    count(*) AS judgements,                          -- judgements that could mark errors
    flatten(list(error_spans ORDER BY judgement_no))
        AS errors,                                   -- the errors, as in judgement.error_spans
    len(list_filter(errors, lambda span: span.severity IN ('major', 'critical'))) > 0
        AS grave                                     -- whether one of them is major or critical
FROM judgement
WHERE error_spans IS NOT NULL AND kind <> 'degraded' AND submission_id IS NOT NULL
GROUP BY submission_id, treebank_id, sentence_no, criterion;
