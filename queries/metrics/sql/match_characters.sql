-- match_characters: character edits from output to reference, one row of edit_match per output.
INSERT INTO edit_match
SELECT
    signature_id, submission_id, sentence_no,
    character_edits(output_text, reference_text), length(output_text), length(reference_text)
FROM text_pair JOIN pending USING (submission_id);
