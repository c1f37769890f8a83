-- edge_match: one row per reference edge and submission: whether the output realises it.
-- grain: signature_id, submission_id, sentence_no, token_no
-- group: score
CREATE OR REPLACE VIEW edge_match AS
SELECT
    signature_id,                     -- how it was computed
    submission_id,                    -- the submission
    sentence_no,                      -- the sentence
    unnest(token_nos) AS token_no,    -- the dependent of the edge in the reference
    unnest(deprels) AS deprel,        -- universal relation, subtype dropped
    unnest(found)::INTEGER AS found   -- 1 where the output has the edge, else 0
FROM edge_outcome
JOIN submission USING (submission_id)
JOIN reference_edges USING (treebank_id, sentence_no);
