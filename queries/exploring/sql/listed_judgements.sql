-- listed_judgements: one row per judgement of a sentence's outputs.
SELECT submission_id, criterion, annotator_id, raw_score, kind, judged_at
FROM judgement
WHERE treebank_id = $treebank AND sentence_no = $sentence_no
ORDER BY submission_id, criterion, annotator_id, judgement_no;
