-- match_text_ngrams: n-gram matches of surface text, one row of ngram_match per output.
INSERT INTO ngram_match
SELECT
    signature_id, submission_id, sentence_no,
    found.output_length, found.reference_length, found.matches, found.totals, NULL
FROM (
    SELECT
        signature_id, submission_id, sentence_no,
        ngram_statistics(output_text, reference_text, references_text, 4) AS found
    FROM text_pair JOIN pending USING (submission_id)
);
