-- report_pattern_examples: one row per pattern and example: outputs for sentences with the pattern, lowest score first.
-- That ids lie between two, unlike that a list contains them, reaches the tables beneath joins and groups.
WITH contained AS (
    SELECT treebank_id, pattern, unnest(sentence_nos) AS sentence_no
    FROM subtree
    WHERE labels = $labels AND list_contains($patterns, pattern)
),
worst AS (
    SELECT pattern, submission_id, treebank_id, sentence_no, score
    FROM suspicious_patterns
    JOIN contained USING (treebank_id, pattern)
    JOIN sentence_score USING (submission_id, metric, sentence_no)
    SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
    WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
        AND list_contains($submissions, submission_id)
        AND list_contains($signatures, signature)
    QUALIFY row_number() OVER (
        PARTITION BY pattern, treebank_id, sentence_no ORDER BY score, submission_id
    ) = 1
)
SELECT pattern, submission_id, sentence_no
FROM worst
QUALIFY row_number() OVER (PARTITION BY pattern ORDER BY score, submission_id, sentence_no) <= $shown
ORDER BY pattern, score, submission_id, sentence_no;
