-- report_relation_examples: one row per relation and example: outputs that miss an edge of it, lowest BLEU first.
-- That ids lie between two, unlike that a list contains them, reaches the tables beneath joins and groups.
WITH missed AS (
    SELECT DISTINCT submission_id, sentence_no, deprel
    FROM edge_match
    SEMI JOIN current_scoring USING (submission_id, signature_id)
    WHERE found = 0
        AND submission_id BETWEEN list_min($submissions) AND list_max($submissions)
        AND list_contains($submissions, submission_id)
),
worst AS (
    SELECT deprel, sentence_no, min({'score': score, 'submission_id': submission_id}) AS lowest
    FROM missed
    JOIN sentence_score USING (submission_id, sentence_no)
    SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
    JOIN submission USING (submission_id)
    WHERE metric = 'bleu'
    GROUP BY deprel, treebank_id, sentence_no
)
SELECT deprel, lowest.submission_id AS submission_id, sentence_no
FROM worst
QUALIFY row_number() OVER (PARTITION BY deprel ORDER BY lowest, sentence_no) <= $shown
ORDER BY deprel, lowest, sentence_no;
