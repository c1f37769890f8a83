-- grammar_sentence_words: one row per analysed word of one output, as rules see it.
SELECT submission_id AS target, sentence_no, token_no, upos, feats, head, deprel
FROM output_token
WHERE submission_id = $submission AND sentence_no = $sentence_no;
