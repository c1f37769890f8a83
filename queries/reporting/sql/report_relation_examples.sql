-- report_relation_examples: one row per relation and example: outputs that miss an edge of it, lowest BLEU first.
-- That ids lie between two, unlike that a list contains them, reaches the tables beneath joins and groups.
WITH missed AS (
    SELECT
        treebank_id, sentence_no,
        {'score': score, 'submission_id': submission_id} AS lowest,
        unnest(deprels) AS deprel,
        unnest(found) AS found
    FROM edge_outcome
    SEMI JOIN current_scoring USING (submission_id, signature_id)
    JOIN submission USING (submission_id)
    JOIN reference_edges USING (treebank_id, sentence_no)
    JOIN (
        FROM sentence_score
        SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
        WHERE metric = 'bleu'
    ) AS bleu USING (submission_id, sentence_no)
    WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
        AND list_contains($submissions, submission_id)
),
worst AS (
    SELECT deprel, sentence_no, min(lowest) AS lowest
    FROM missed
    WHERE found = 0
    GROUP BY deprel, treebank_id, sentence_no
)
SELECT deprel, lowest.submission_id AS submission_id, sentence_no
FROM worst
QUALIFY row_number() OVER (PARTITION BY deprel ORDER BY lowest, sentence_no) <= $shown
ORDER BY deprel, lowest, sentence_no;
