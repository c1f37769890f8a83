-- match_chrf: n-grams of characters with the best of the references, one row of statistic_match per output.
INSERT INTO statistic_match
SELECT signature_id, submission_id, sentence_no, chrf_statistics(output_raw, reference_raw, references_raw)
FROM text_pair JOIN pending USING (submission_id);
