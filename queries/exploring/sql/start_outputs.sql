-- start_outputs: Which long sentences come out worst?
SELECT treebank_id, sentence_no, submission_id, length, dea, reference, output
FROM sentence_scores
WHERE length > 15
ORDER BY dea
LIMIT 50;
