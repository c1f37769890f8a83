-- resampled_edges_written: one row per output: the edges found in it, those that an output of its length has, and those of its reference.
WITH edges AS (
    SELECT
        submission_id, signature_id, sentence_no,
        list_sum(found) AS found,
        greatest(
            list_sum(found),
            len(found) - len(reference_lemmas.lemmas) + coalesce(len(forms) - len(punctuation), 0)
        )               AS written,
        len(found)      AS edges
    FROM edge_outcome
    SEMI JOIN resampled USING (submission_id, signature_id)
    JOIN submission USING (submission_id)
    JOIN reference_lemmas USING (treebank_id, sentence_no)
    LEFT JOIN output_words USING (submission_id, sentence_no)
)
SELECT
    place,
    sentence_no,
    [coalesce(found, 0), coalesce(written, 0), coalesce(edges, 0)]::DOUBLE[] AS statistics
FROM resampled
JOIN output USING (submission_id)
LEFT JOIN edges USING (submission_id, signature_id, sentence_no)
ORDER BY place, sentence_no;
