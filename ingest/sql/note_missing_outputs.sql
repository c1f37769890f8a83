-- note_missing_outputs: note that submissions have no output for the sentences that are new in a treebank.
INSERT INTO output
SELECT submission_id, sentence_no, NULL
FROM submission
JOIN sentence USING (treebank_id)
ANTI JOIN output USING (submission_id, sentence_no)
WHERE treebank_id = $treebank;
