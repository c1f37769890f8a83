-- match_nist_ngrams: n-gram matches of surface text with their information, one row of ngram_match per output.
INSERT INTO ngram_match
SELECT
    signature_id, submission_id, sentence_no,
    found.output_length, found.reference_length, found.matches, found.totals, found.information
FROM (
    SELECT
        signature_id, submission_id, text_pair.sentence_no,
        nist_statistics(output_text, reference_text, information, 5) AS found
    FROM text_pair
    JOIN pending USING (submission_id)
    JOIN reference_information
        ON reference_information.treebank_id = text_pair.treebank_id
        AND reference_information.reference_form = text_pair.reference_form
        AND reference_information.sentence_no = text_pair.sentence_no
);
