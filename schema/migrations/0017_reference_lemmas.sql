-- reference_lemmas: one row per reference sentence: its lemmas in order, punctuation stripped.
CREATE TABLE reference_lemmas (
    treebank_id  VARCHAR   NOT NULL,  -- the treebank
    sentence_no  INTEGER   NOT NULL,  -- the sentence
    lemmas       VARCHAR[] NOT NULL   -- lowercased lemmas; the form where a word has no lemma
);
