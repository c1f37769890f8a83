-- ngram_match: one row per output and n-gram metric: clipped matches and totals by order.
CREATE TABLE ngram_match (
    signature_id      VARCHAR   NOT NULL,  -- how it was computed
    submission_id     VARCHAR   NOT NULL,  -- the submission
    sentence_no       INTEGER   NOT NULL,  -- the sentence
    output_length     INTEGER   NOT NULL,  -- words of the output
    reference_length  INTEGER   NOT NULL,  -- words of the reference
    matches           INTEGER[] NOT NULL,  -- matched n-grams, element n for order n
    totals            INTEGER[] NOT NULL,  -- n-grams of the output, element n for order n
    information       DOUBLE[]             -- NIST only: bits of the matched n-grams, element n for order n
);
