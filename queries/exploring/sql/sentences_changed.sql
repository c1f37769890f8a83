-- sentences_changed: one row per sentence whose scores by a metric are within two ranges and rose, fell or either, in the order of listed_pair_sentences.
SELECT sentence_no
FROM sentence_pairs
WHERE submission_id = $new AND other_submission_id = $base AND metric = $metric
    AND ($sign = 0 OR $sign * (score - other_score) > 0)
    AND score BETWEEN $from AND $to
    AND other_score BETWEEN $base_from AND $base_to
ORDER BY abs(score - other_score) DESC, sentence_no;
