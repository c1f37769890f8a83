-- scores_of_words: what was computed from words, of the submissions to a treebank: scores of lemmas, edges and rules, analyses.
CREATE OR REPLACE TEMP TABLE of_words AS
SELECT submission_id, signature_id
FROM signature
JOIN submission USING (treebank_id)
WHERE treebank_id = $treebank AND text_level IN ('lemmas', 'edges', 'trees')
UNION
SELECT submission_id, signature_id
FROM analysis
JOIN submission USING (submission_id)
WHERE treebank_id = $treebank;
