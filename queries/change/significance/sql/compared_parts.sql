-- compared_parts: one row per sentence and part of a metric, of a submission: the part's sufficient statistics.
SELECT part AS item, sentence_no, statistics
FROM part_match
WHERE submission_id = $submission_id AND signature_id = $signature_id
ORDER BY part, sentence_no;
