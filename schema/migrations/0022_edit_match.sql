-- edit_match: one row per output and edit-distance metric: the edits that turn it into the reference.
CREATE TABLE edit_match (
    signature_id      VARCHAR NOT NULL,  -- how it was computed
    submission_id     VARCHAR NOT NULL,  -- the submission
    sentence_no       INTEGER NOT NULL,  -- the sentence
    edits             INTEGER NOT NULL,  -- insertions, deletions and substitutions
    output_length     INTEGER NOT NULL,  -- characters or words of the output
    reference_length  INTEGER NOT NULL   -- characters or words of the reference
);
