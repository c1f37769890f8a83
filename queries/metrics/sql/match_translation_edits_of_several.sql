-- match_translation_edits_of_several: edits and shifts of TER to the nearest of several references, one row of edit_match per output.
INSERT INTO edit_match
WITH reference AS MATERIALIZED (
    SELECT treebank_id, sentence_no, list(reference_text ORDER BY place) AS texts
    FROM text_reference
    GROUP BY ALL
)
SELECT
    signature_id, submission_id, sentence_no, found.edits, found.output_length, found.reference_length
FROM (
    SELECT
        signature_id, submission_id, sentence_no,
        translation_edits_of_several(output_text, texts) AS found
    FROM text_pair
    JOIN pending USING (submission_id, treebank_id, reference_form)
    JOIN reference USING (treebank_id, sentence_no)
);
