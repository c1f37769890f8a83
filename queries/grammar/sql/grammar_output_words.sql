-- grammar_output_words: one row per analysed word of the submissions at hand that has a part of speech, as rules see it.
CREATE OR REPLACE TEMP VIEW grammar_word AS
SELECT submission_id AS target, sentence_no, token_no, upos, feats, head, deprel
FROM output_token
WHERE submission_id IN (SELECT target FROM grammar_target) AND upos IS NOT NULL;
