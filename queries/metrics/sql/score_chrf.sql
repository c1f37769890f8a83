-- score_chrf: chrF of each output and of each submission, from the statistics of chrF or chrF++.
INSERT INTO sentence_score
SELECT
    signature_id, submission_id, sentence_no, metric,
    CASE WHEN statistics[2] > 0 THEN chrf(statistics) END,
    CASE WHEN statistics[2] = 0 THEN 'the reference has no characters' END
FROM statistic_match JOIN pending USING (signature_id, submission_id);

INSERT INTO submission_score
SELECT
    signature_id, submission_id, metric,
    CASE WHEN sums[2] > 0 THEN chrf(sums) END,
    sentences,
    CASE WHEN sums[2] = 0 THEN 'the references have no characters' END
FROM (
    SELECT
        signature_id, submission_id, any_value(metric) AS metric,
        element_sums(statistics, 24) AS sums, count(*) AS sentences
    FROM statistic_match JOIN pending USING (signature_id, submission_id)
    GROUP BY signature_id, submission_id
);
