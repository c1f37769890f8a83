-- complex_sentence: one row per sentence of a treebank and complexity bound that it reaches.
SELECT sentence_no, bound
FROM sentence_complexity
CROSS JOIN LATERAL (
    VALUES
        ('depth', depth >= $min_depth),
        ('length', length >= $min_length),
        ('mdd', mdd >= $min_mdd),
        ('non-projective', $non_projective AND NOT projective)
) AS reached (bound, is_reached)
WHERE treebank_id = $treebank_id AND convention = 'standard' AND is_reached
ORDER BY sentence_no, bound;
