-- match_chrf_of_several: n-grams of characters with the best of several references, one row of statistic_match per output.
INSERT INTO statistic_match
WITH reference AS MATERIALIZED (
    SELECT treebank_id, sentence_no, list(reference_raw ORDER BY place) AS texts
    FROM text_reference
    GROUP BY ALL
)
SELECT signature_id, submission_id, sentence_no, chrf_statistics_of_several(output_raw, texts)
FROM text_pair
JOIN pending USING (submission_id, treebank_id, reference_form)
JOIN reference USING (treebank_id, sentence_no);
