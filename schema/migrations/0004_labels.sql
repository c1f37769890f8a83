ALTER TABLE comparison ADD COLUMN labels_verdict VARCHAR;
COMMENT ON COLUMN comparison.labels_verdict IS 'which sentences of one label''s value changed most, in words; NULL where none did by more than chance, or none were compared';
DELETE FROM scoring WHERE metric = 'treebank_analysis';

-- sentence_label: one row per reference sentence and label, by whose values scores tell sentences apart.
-- grain: treebank_id, sentence_no, label
CREATE TABLE sentence_label (
    treebank_id  VARCHAR NOT NULL,  -- the treebank
    sentence_no  INTEGER NOT NULL,  -- the sentence
    label        VARCHAR NOT NULL,  -- name of the label, such as genre, length or frequency
    value        VARCHAR NOT NULL,  -- the sentence's value of it, as text
    origin       VARCHAR NOT NULL   -- loaded: from a file beside the sentences; comments: of the treebank's own file; computed: from the words
);

-- slice_score: one row per submission, metric, label and value: the score of its sentences alone.
-- grain: signature_id, submission_id, label, value
CREATE TABLE slice_score (
    signature_id      VARCHAR NOT NULL,  -- how it was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    metric            VARCHAR NOT NULL,  -- name of the metric
    label             VARCHAR NOT NULL,  -- name of the label, as in the view labelled_sentences
    value             VARCHAR NOT NULL,  -- the sentences' value of it
    score             DOUBLE,            -- score of these sentences alone; NULL where undefined
    sentences         INTEGER NOT NULL,  -- sentences with the value
    undefined_reason  VARCHAR            -- why the score is NULL
);
