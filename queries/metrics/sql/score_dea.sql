-- score_dea: share of reference edges found, of each output and of each submission.
-- Reads the temporary table output_edges of match_edges.
INSERT INTO sentence_score
SELECT
    signature_id, submission_id, sentence_no, metric,
    list_sum(found) / len(found),
    CASE WHEN found IS NULL THEN 'the reference has no edge' END
FROM output_edges;

INSERT INTO submission_score
SELECT
    signature_id, submission_id, any_value(metric),
    sum(list_sum(found)) / sum(len(found)),
    count(found),
    CASE WHEN count(found) = 0 THEN 'the references have no edge' END
FROM output_edges
GROUP BY signature_id, submission_id;
