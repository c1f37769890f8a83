-- grammar_words_at_hand: one row per given word that has a part of speech, as rules see it.
CREATE OR REPLACE TEMP VIEW grammar_word AS
SELECT target, sentence_no, token_no, upos, feats, head, deprel
FROM grammar_word_at_hand
WHERE upos IS NOT NULL;
