-- match_nist_ngrams: n-gram matches of surface text with their information, one row of ngram_match per output.
-- How much n-grams tell rests on all references of a treebank, in each of their forms.
INSERT INTO ngram_match
WITH treebank AS MATERIALIZED (
    SELECT
        treebank_id, reference_form,
        list(sentence_no ORDER BY sentence_no) AS sentence_nos,
        nist_information(list(reference_text ORDER BY sentence_no), 5) AS information
    FROM single_reference
    GROUP BY treebank_id, reference_form
),
reference AS MATERIALIZED (
    SELECT
        treebank_id, reference_form,
        unnest(sentence_nos) AS sentence_no,
        unnest(information)  AS information
    FROM treebank
)
SELECT
    signature_id, submission_id, sentence_no,
    found.output_length, found.reference_length, found.matches, found.totals, found.information
FROM (
    SELECT
        signature_id, submission_id, sentence_no,
        nist_statistics(output_text, reference_text, information, 5) AS found
    FROM text_pair
    JOIN pending USING (submission_id, treebank_id, reference_form)
    JOIN reference USING (treebank_id, reference_form, sentence_no)
);
