-- match_tokens: token edits from output to reference, one row of edit_match per output.
INSERT INTO edit_match
SELECT
    signature_id, submission_id, sentence_no,
    token_edits(output_tokens, reference_tokens), len(output_tokens), len(reference_tokens)
FROM text_pair JOIN pending USING (submission_id);
