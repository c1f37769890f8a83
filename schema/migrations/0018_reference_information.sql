-- reference_information: one row per reference sentence and reference form: the NIST information of its n-grams.
CREATE TABLE reference_information (
    treebank_id     VARCHAR  NOT NULL,  -- the treebank, whose references give the counts
    sentence_no     INTEGER  NOT NULL,  -- the sentence
    reference_form  VARCHAR  NOT NULL,  -- text or tokens, normalised as the surface metrics do
    information     DOUBLE[] NOT NULL   -- bits of each n-gram: all unigrams, then all bigrams, up to 5-grams
);
