-- match_ngrams: n-gram matches of the words of texts, one row of ngram_match per output.
-- {pairs} has the texts, {words} are the columns of output, reference and list of references.
INSERT INTO ngram_match
SELECT
    signature_id, submission_id, sentence_no,
    found.output_length, found.reference_length, found.matches, found.totals, NULL
FROM (
    SELECT signature_id, submission_id, sentence_no, ngram_statistics({words}, 4) AS found
    FROM {pairs} JOIN pending USING (submission_id)
);
