-- score_nist: NIST of each output and of each submission, up to the order the metric names.
-- Information is summed in the order of the sentences: the last digit of a sum depends on it.
INSERT INTO sentence_score
SELECT
    pending.signature_id, pending.submission_id, sentence_no, pending.metric,
    CASE WHEN reference_length > 0
        THEN nist(information[1:ngram_order], totals[1:ngram_order], output_length, reference_length)
    END,
    CASE WHEN reference_length = 0 THEN 'the reference has no words' END
FROM ngram_match
JOIN pending
    ON ngram_match.signature_id = pending.statistics_signature_id
    AND ngram_match.submission_id = pending.submission_id;

INSERT INTO submission_score
SELECT
    pending.signature_id, pending.submission_id, any_value(pending.metric),
    CASE WHEN sum(reference_length) > 0 THEN
        nist(
            [
                sum(information[1] ORDER BY sentence_no), sum(information[2] ORDER BY sentence_no),
                sum(information[3] ORDER BY sentence_no), sum(information[4] ORDER BY sentence_no),
                sum(information[5] ORDER BY sentence_no)
            ][1:any_value(ngram_order)],
            element_sums(totals, 5)[1:any_value(ngram_order)],
            sum(output_length), sum(reference_length)
        )
    END,
    count(*),
    CASE WHEN sum(reference_length) = 0 THEN 'the references have no words' END
FROM ngram_match
JOIN pending
    ON ngram_match.signature_id = pending.statistics_signature_id
    AND ngram_match.submission_id = pending.submission_id
GROUP BY pending.signature_id, pending.submission_id;
