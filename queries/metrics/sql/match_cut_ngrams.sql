-- match_cut_ngrams: n-gram matches of the words that a tokeniser cuts, one row of ngram_match per output.
-- {tokens} is the function that cuts a text, {tokens}_of_all that for lists of them. References are
-- cut once for all their submissions.
INSERT INTO ngram_match
WITH reference AS MATERIALIZED (
    SELECT
        treebank_id, reference_form, sentence_no,
        {tokens}(reference_raw)         AS reference_cut,
        {tokens}_of_all(references_raw) AS references_cut
    FROM listed_reference
)
SELECT
    signature_id, submission_id, sentence_no,
    found.output_length, found.reference_length, found.matches, found.totals, NULL
FROM (
    SELECT
        signature_id, submission_id, sentence_no,
        ngram_statistics({tokens}(output_raw), reference_cut, references_cut, 4) AS found
    FROM text_pair
    JOIN pending USING (submission_id, treebank_id, reference_form)
    JOIN reference USING (treebank_id, reference_form, sentence_no)
);
