-- match_nist_ngrams: n-gram matches of surface text with their information, one row of ngram_match per output.
INSERT INTO ngram_match
SELECT
    signature_id, submission_id, sentence_no,
    found.output_length, found.reference_length, found.matches, found.totals, found.information
FROM (
    SELECT
        signature_id, submission_id, sentence_no,
        nist_statistics(output_tokens, reference_tokens, information, 5) AS found
    FROM text_pair JOIN pending USING (submission_id)
);
