-- listed_pair_sentences: one row per sentence whose two scores are within two ranges, those that changed most first.
SELECT
    sentence_no,
    other_score        AS base_score,
    score,
    score - other_score AS change,
    sentence.text      AS reference,
    base_output.text   AS base_output,
    own_output.text    AS output
FROM sentence_pairs
JOIN sentence USING (sentence_no)
JOIN output AS own_output USING (submission_id, sentence_no)
JOIN output AS base_output
    ON base_output.submission_id = other_submission_id AND base_output.sentence_no = sentence_no
WHERE submission_id = $submission AND other_submission_id = $base AND metric = $metric
    AND treebank_id = $treebank
    AND ($from IS NULL OR score BETWEEN $from AND $to)
    AND ($base_from IS NULL OR other_score BETWEEN $base_from AND $base_to)
ORDER BY abs(change) DESC, sentence_no
LIMIT $rows;
