-- grammar_reference_words: one row per word of the treebanks at hand that has a part of speech, as rules see it.
CREATE OR REPLACE TEMP VIEW grammar_word AS
SELECT treebank_id AS target, sentence_no, token_no, upos, feats, head, deprel, lemma
FROM token
WHERE treebank_id IN (SELECT target FROM grammar_target) AND upos IS NOT NULL;
