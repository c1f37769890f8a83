-- analyses: one row per sentence of an analysed treebank that lacks its analysis, or has one that cannot be.
WITH analysed AS (
    SELECT sentence.treebank_id, sentence_no, hidden_text
    FROM sentence
    JOIN treebank USING (treebank_id)
    SEMI JOIN (FROM scoring WHERE metric = 'treebank_analysis') AS done
        ON done.target = sentence.treebank_id
    -- Test sets of scheme text and meaning graphs have no trees.
    WHERE scheme NOT IN ('text', 'amr')
),
expected AS (
    SELECT analysed.*, convention
    FROM analysed
    CROSS JOIN (VALUES ('standard'), ('tacl2021')) AS conventions (convention)
)
SELECT
    'no complexity' AS fault,  -- what is wrong
    treebank_id,               -- the treebank
    sentence_no                -- the sentence
FROM expected
ANTI JOIN sentence_complexity USING (treebank_id, sentence_no, convention)
UNION ALL
SELECT 'no lemmas', treebank_id, sentence_no
FROM (FROM analysed WHERE NOT hidden_text)
ANTI JOIN reference_lemmas USING (treebank_id, sentence_no)
UNION ALL
SELECT 'complexity without value or reason', treebank_id, sentence_no
FROM sentence_complexity
WHERE (
    depth IS NULL OR length IS NULL OR mdd IS NULL OR mfs IS NULL OR mfw IS NULL OR arity IS NULL
    OR projective IS NULL
) <> (undefined_reason IS NOT NULL)
UNION ALL
SELECT 'complexity out of range', treebank_id, sentence_no
FROM sentence_complexity
WHERE NOT (
    coalesce(depth >= 0 AND depth < length, true)
    AND coalesce(isfinite(mdd) AND mdd BETWEEN 0 AND length, true)
    AND coalesce(isfinite(mfs) AND mfs BETWEEN 0 AND length, true)
    AND coalesce(isfinite(mfw) AND mfw BETWEEN 0 AND mfs, true)
    AND coalesce(isfinite(arity) AND arity BETWEEN 0 AND 1, true)
)
UNION ALL
SELECT 'edge without its head or distance', reference_edge.treebank_id, reference_edge.sentence_no
FROM reference_edge
LEFT JOIN token AS head
    ON head.treebank_id = reference_edge.treebank_id
    AND head.sentence_no = reference_edge.sentence_no
    AND head.token_no = head_token_no
WHERE head.token_no IS NULL
    OR distance = 0
    OR sign(distance) <> sign(reference_edge.token_no - head_token_no)
    OR abs(distance) > abs(reference_edge.token_no - head_token_no);
