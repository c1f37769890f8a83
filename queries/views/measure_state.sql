-- measure_state: one row per submission and metric, or what people said of it: what its values rest on at present.
-- grain: submission_id, source
-- reads: current_scoring
-- group: internal
CREATE OR REPLACE VIEW measure_state AS
SELECT
    current_scoring.submission_id,                   -- the submission
    current_scoring.metric AS source,                -- the metric, or the measure of what people said
    current_scoring.signature_id || ' ' || left(scoring.data_sha256, 12)
        AS state,                                    -- signature and hash of the data; of judgements their hash
    submission_score.score IS NOT NULL AS is_defined -- whether the submission has a value by it
FROM current_scoring
JOIN scoring
    ON scoring.target = current_scoring.submission_id
    AND scoring.signature_id = current_scoring.signature_id
    AND scoring.metric = current_scoring.metric
LEFT JOIN submission_score
    ON submission_score.submission_id = current_scoring.submission_id
    AND submission_score.signature_id = current_scoring.signature_id
    AND submission_score.metric = current_scoring.metric
UNION ALL
SELECT
    submission_id,
    criterion || '_z',
    printf('%016x', bit_xor(hash(sentence_no, z_score))),
    count(z_score) > 0
FROM human_score
GROUP BY submission_id, criterion
UNION ALL
SELECT
    submission_id,
    criterion || '_errors',
    printf('%016x', bit_xor(hash(judgement_no, sentence_no, error_spans))),
    true
FROM judgement
WHERE error_spans IS NOT NULL AND kind <> 'degraded' AND submission_id IS NOT NULL
GROUP BY submission_id, criterion;
