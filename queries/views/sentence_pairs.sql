-- sentence_pairs: one row per two submissions to one treebank, metric and sentence: both outputs' scores, computed alike.
-- grain: submission_id, other_submission_id, metric, sentence_no
-- reads: passed_over_signature
-- group: compare and follow
-- Scores that were computed in different ways make no pair: of those alike the newest count. z-scores are those of one
-- campaign.
CREATE OR REPLACE VIEW sentence_pairs AS
WITH alike AS (
    SELECT own.target AS submission_id, other.target AS other_submission_id, metric, signature_id
    FROM scoring AS own
    JOIN scoring AS other USING (metric, signature_id)
    ANTI JOIN passed_over_signature USING (signature_id)
    SEMI JOIN submission AS run ON run.submission_id = own.target
    SEMI JOIN submission AS other_run ON other_run.submission_id = other.target
    WHERE own.target <> other.target
    QUALIFY row_number() OVER (PARTITION BY own.target, other.target, metric ORDER BY own.revision DESC) = 1
)
SELECT
    alike.submission_id,          -- one submission
    alike.other_submission_id,    -- another one to the same treebank
    alike.metric,                 -- name of the metric, or of a human score such as adequacy_z
    own.sentence_no,              -- the sentence
    own.score,                    -- the one's score
    other.score AS other_score    -- the other's
FROM alike
JOIN sentence_score AS own
    ON own.submission_id = alike.submission_id
    AND own.metric = alike.metric
    AND own.signature_id = alike.signature_id
JOIN sentence_score AS other
    ON other.submission_id = alike.other_submission_id
    AND other.metric = alike.metric
    AND other.signature_id = alike.signature_id
    AND other.sentence_no = own.sentence_no
WHERE own.score IS NOT NULL AND other.score IS NOT NULL
UNION ALL
SELECT own.submission_id, other.submission_id, own.criterion || '_z', own.sentence_no, own.z_score, other.z_score
FROM human_score AS own
JOIN submission AS run ON run.submission_id = own.submission_id
JOIN human_score AS other
    ON other.criterion = own.criterion AND other.sentence_no = own.sentence_no
    AND other.submission_id <> own.submission_id
JOIN submission AS other_run
    ON other_run.submission_id = other.submission_id
    AND other_run.treebank_id = run.treebank_id
    AND other_run.campaign_id = run.campaign_id
WHERE own.z_score IS NOT NULL AND other.z_score IS NOT NULL;
