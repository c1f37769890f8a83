-- match_lemma_ngrams: n-gram matches of lemmas without punctuation, one row of ngram_match per output.
INSERT INTO ngram_match
SELECT
    signature_id, submission_id, sentence_no,
    found.output_length, found.reference_length, found.matches, found.totals, NULL
FROM (
    SELECT
        signature_id, submission_id, sentence_no,
        ngram_statistics(output_lemmas, reference_lemmas, NULL, 4) AS found
    FROM lemma_pair JOIN pending USING (submission_id)
);
