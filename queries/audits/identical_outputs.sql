-- identical_outputs: one row per output that is its reference, word for word, and lacks one of its edges.
-- The analyser `reference` reads such outputs as the treebank does: the baseline of that name has a
-- dependency edge accuracy of 1.
SELECT
    submission_id,               -- the submission
    sentence_no,                 -- the sentence
    analysis,                    -- how its words were found
    count(DISTINCT token_no) AS missing_edges  -- edges of the reference that were not found
FROM submission
JOIN sentence USING (treebank_id)
JOIN output USING (submission_id, sentence_no)
JOIN edge_match USING (submission_id, sentence_no)
WHERE analysis LIKE 'reference/%'
    AND output.text IN (sentence.text, forms_text)
    AND found = 0
GROUP BY ALL;
