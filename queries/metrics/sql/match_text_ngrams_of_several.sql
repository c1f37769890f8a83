-- match_text_ngrams_of_several: n-gram matches of surface text with several references, one row of ngram_match per output.
INSERT INTO ngram_match
WITH reference AS MATERIALIZED (
    SELECT treebank_id, sentence_no, list(reference_text ORDER BY place) AS texts
    FROM text_reference
    GROUP BY ALL
)
SELECT
    signature_id, submission_id, sentence_no,
    found.output_length, found.reference_length, found.matches, found.totals, NULL
FROM (
    SELECT
        signature_id, submission_id, sentence_no,
        ngram_statistics_of_several(output_text, texts, 4) AS found
    FROM text_pair
    JOIN pending USING (submission_id, treebank_id, reference_form)
    JOIN reference USING (treebank_id, sentence_no)
);
