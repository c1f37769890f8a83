-- listed_pair_scores: one row per sentence of which two submissions have scores that were computed alike.
SELECT sentence_no, score, other_score
FROM sentence_pairs
WHERE submission_id = $submission AND other_submission_id = $base AND metric = $metric
ORDER BY sentence_no;
