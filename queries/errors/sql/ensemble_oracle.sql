-- ensemble_oracle: one row: what a choice among some submissions could reach if it knew the references.
-- DEA of the outputs that have most edges, which no choice can exceed; BLEU of the corpus of those
-- with the highest sentence BLEU, which is close to the highest there is.
WITH current_edge AS (
    SELECT submission_id, sentence_no, list_sum(found) AS found, len(found) AS edges
    FROM edge_outcome
    SEMI JOIN current_scoring USING (submission_id, signature_id)
    WHERE list_contains($submissions, submission_id)
),
best_edges AS (
    SELECT sentence_no, max(found) AS found, any_value(edges) AS edges
    FROM current_edge
    GROUP BY sentence_no
),
best_bleu AS (
    SELECT matches, totals, output_length, reference_length
    FROM ngram_match
    JOIN sentence_score USING (submission_id, signature_id, sentence_no)
    SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
    WHERE metric = 'bleu' AND list_contains($submissions, submission_id)
    QUALIFY row_number() OVER (PARTITION BY sentence_no ORDER BY score DESC, submission_id) = 1
)
SELECT
    (SELECT sum(found) / sum(edges) FROM best_edges) AS dea,
    (
        SELECT
            CASE WHEN sum(reference_length) > 0 THEN
                corpus_bleu(
                    element_sums(matches, 4), element_sums(totals, 4),
                    sum(output_length), sum(reference_length)
                )
            END
        FROM best_bleu
    ) AS bleu;
