-- sentence_edges: one row per edge of a sentence's reference, by the number of its dependent: whether a submission's output has it.
SELECT token_no, found::BOOLEAN AS found
FROM edge_match
SEMI JOIN current_scoring USING (submission_id, signature_id)
WHERE submission_id = $submission AND sentence_no = $sentence_no;
