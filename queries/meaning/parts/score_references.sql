-- score_references: one row per matched graph of an output.
    SELECT 'graph_match', signature_id, submission_id, sentence_no FROM graph_match
