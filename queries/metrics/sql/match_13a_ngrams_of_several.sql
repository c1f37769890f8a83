-- match_13a_ngrams_of_several: n-gram matches of the words that mteval-v13a cuts with several references, one row of ngram_match per output.
INSERT INTO ngram_match
WITH reference AS MATERIALIZED (
    SELECT treebank_id, sentence_no, list(tokens_13a(reference_raw) ORDER BY place) AS texts
    FROM text_reference
    GROUP BY ALL
)
SELECT
    signature_id, submission_id, sentence_no,
    found.output_length, found.reference_length, found.matches, found.totals, NULL
FROM (
    SELECT
        signature_id, submission_id, sentence_no,
        ngram_statistics_of_several(tokens_13a(output_raw), texts, 4) AS found
    FROM text_pair
    JOIN pending USING (submission_id, treebank_id, reference_form)
    JOIN reference USING (treebank_id, sentence_no)
);
