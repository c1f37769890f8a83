-- forget_label_verdicts: let stored comparisons of a treebank ($treebank) say nothing of labels: it is told anew where it is asked.
UPDATE comparison SET labels_verdict = NULL
WHERE labels_verdict IS NOT NULL
    AND submission_id IN (SELECT submission_id FROM submission WHERE treebank_id = $treebank);

-- forget_slice_changes: remove stored changes of scores over the sentences of labels of a treebank ($treebank).
DELETE FROM change
WHERE kind = 'slice'
    AND submission_id IN (SELECT submission_id FROM submission WHERE treebank_id = $treebank);

-- forget_slice_scores: remove scores over the sentences of labels of a treebank ($treebank).
DELETE FROM slice_score
WHERE submission_id IN (SELECT submission_id FROM submission WHERE treebank_id = $treebank);

-- labels_there: one row per sentence of a treebank ($treebank) with a value of a label ($label) that was not computed.
-- grain: sentence_no
SELECT sentence_no, value
FROM sentence_label
WHERE treebank_id = $treebank AND label = $label AND origin <> 'computed'
UNION ALL
SELECT sentence_no, if($label = 'domain', domain, document_id)
FROM sentence_source
ANTI JOIN (FROM sentence_label WHERE label = $label AND origin <> 'computed') AS loaded
    USING (treebank_id, sentence_no)
WHERE treebank_id = $treebank AND $label IN ('domain', 'document')
    AND if($label = 'domain', domain, document_id) IS NOT NULL;
