-- listed_pair_sentences: one row per sentence whose two scores are within two ranges, those that changed most first.
SELECT sentence_no, base_score, score, change, reference, base_output, output
FROM sentence_pairs
WHERE submission_id = $submission AND base_submission_id = $base AND metric = $metric
    AND ($from IS NULL OR score BETWEEN $from AND $to)
    AND ($base_from IS NULL OR base_score BETWEEN $base_from AND $base_to)
ORDER BY abs(change) DESC, sentence_no
LIMIT $rows;
