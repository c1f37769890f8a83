-- match_13a_ngrams: n-gram matches of the words that mteval-v13a cuts, one row of ngram_match per output.
-- References are cut once for all their submissions.
INSERT INTO ngram_match
WITH reference AS MATERIALIZED (
    SELECT
        treebank_id, reference_form, sentence_no,
        tokens_13a(reference_raw)         AS reference_13a,
        tokens_13a_of_all(references_raw) AS references_13a
    FROM listed_reference
)
SELECT
    signature_id, submission_id, sentence_no,
    found.output_length, found.reference_length, found.matches, found.totals, NULL
FROM (
    SELECT
        signature_id, submission_id, sentence_no,
        ngram_statistics(tokens_13a(output_raw), reference_13a, references_13a, 4) AS found
    FROM text_pair
    JOIN pending USING (submission_id, treebank_id, reference_form)
    JOIN reference USING (treebank_id, reference_form, sentence_no)
);
