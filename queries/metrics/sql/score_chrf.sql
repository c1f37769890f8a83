-- score_chrf: chrF of each output and of each submission, from sacreBLEU's statistics.
INSERT INTO statistic_match
SELECT
    signature_id, submission_id, sentence_no, chrf_statistics(output_raw, reference_raw)
FROM text_pair JOIN pending USING (submission_id);

INSERT INTO sentence_score
SELECT
    signature_id, submission_id, sentence_no, metric,
    CASE WHEN statistics[2] > 0 THEN chrf(statistics) END,
    CASE WHEN statistics[2] = 0 THEN 'the reference has no characters' END
FROM statistic_match JOIN pending USING (signature_id, submission_id);

INSERT INTO submission_score
SELECT
    signature_id, submission_id, any_value(metric),
    CASE WHEN sum(statistics[2]) > 0 THEN chrf(element_sums(statistics, 18)) END,
    count(*),
    CASE WHEN sum(statistics[2]) = 0 THEN 'the references have no characters' END
FROM statistic_match JOIN pending USING (signature_id, submission_id)
GROUP BY signature_id, submission_id;
