-- score_hidden_text: submissions to a treebank whose text is hidden have no score.
INSERT INTO sentence_score
SELECT signature_id, submission_id, sentence_no, metric, NULL, 'the text of the treebank is hidden'
FROM pending JOIN output USING (submission_id);

INSERT INTO submission_score
SELECT signature_id, submission_id, metric, NULL, 0, 'the text of the treebank is hidden'
FROM pending;
