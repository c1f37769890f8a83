-- match_translation_edits: edits and shifts of TER from output to the nearest of the references, one row of edit_match per output.
INSERT INTO edit_match
SELECT
    signature_id, submission_id, sentence_no, found.edits, found.output_length, found.reference_length
FROM (
    SELECT
        signature_id, submission_id, sentence_no,
        translation_edits(output_text, reference_text, references_text) AS found
    FROM text_pair JOIN pending USING (submission_id)
);
