-- score_rouge: ROUGE of each output, and of each submission the mean of its outputs' scores.
CREATE OR REPLACE TEMP VIEW rouge_score AS
SELECT
    pending.signature_id, pending.submission_id, sentence_no, metric,
    rouge(statistics, list_position(['rouge_1', 'rouge_2', 'rouge_l', 'rouge_lsum'], metric)) AS score
FROM statistic_match
JOIN pending
    ON statistic_match.signature_id = pending.statistics_signature_id
    AND statistic_match.submission_id = pending.submission_id;

INSERT INTO sentence_score
SELECT
    signature_id, submission_id, sentence_no, metric, score,
    CASE WHEN score IS NULL THEN 'the reference has no words of the letters a to z and digits' END
FROM rouge_score;

INSERT INTO submission_score
SELECT
    signature_id, submission_id, any_value(metric), avg(score ORDER BY sentence_no), count(score),
    CASE WHEN count(score) = 0 THEN 'the references have no words of the letters a to z and digits' END
FROM rouge_score
GROUP BY signature_id, submission_id;

DROP VIEW rouge_score;
