-- listed_marked_outputs: one row per judgement of a sentence's outputs that marks errors: the output, and its errors.
SELECT judgement.submission_id, criterion, annotator_id, raw_score, output.text AS output, error_spans
FROM judgement
JOIN output USING (submission_id, sentence_no)
WHERE treebank_id = $treebank
    AND sentence_no = $sentence_no
    AND kind <> 'degraded'
    AND len(error_spans) > 0
ORDER BY submission_id, criterion, annotator_id, judgement_no;
