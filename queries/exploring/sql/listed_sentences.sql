-- listed_sentences: one row per sentence of a submission in the order asked for, scores that are undefined last.
SELECT
    sentence_no, sent_id, COLUMNS(name -> list_contains($measures, name)),
    adequacy_z, length, depth, reference, output
FROM sentence_scores
WHERE submission_id = $submission
ORDER BY $direction * $sort NULLS LAST, sentence_no
LIMIT $rows OFFSET $start;
