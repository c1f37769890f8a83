-- sentence_pairs: one row per submission, base to the same treebank, metric and sentence: both texts, both scores, computed alike, and the change.
-- grain: submission_id, base_submission_id, metric, sentence_no
-- reads: passed_over_signature, submission_identity
-- group: compare and follow
-- listed: first
-- Any two submissions are a pair, each the base of the other. Scores that were computed in different ways make none: of
-- those alike the newest count. z-scores are those of one campaign. Name the submission, and its base: pairs are as many
-- as the square of a treebank's runs, and a LIMIT makes none fewer. Of a base whose treebank is not said all texts are joined.
CREATE OR REPLACE VIEW sentence_pairs AS
WITH alike AS (
    SELECT own.target AS submission_id, base.target AS base_submission_id, metric, signature_id
    FROM scoring AS own
    JOIN scoring AS base USING (metric, signature_id)
    ANTI JOIN passed_over_signature USING (signature_id)
    SEMI JOIN submission AS run ON run.submission_id = own.target
    SEMI JOIN submission AS base_run ON base_run.submission_id = base.target
    WHERE own.target <> base.target
    QUALIFY row_number() OVER (PARTITION BY own.target, base.target, metric ORDER BY own.revision DESC) = 1
),
pair AS (
    SELECT
        alike.submission_id, alike.base_submission_id, alike.metric, signature.better,
        own.sentence_no, own.score, base.score AS base_score
    FROM alike
    JOIN signature USING (signature_id)
    JOIN sentence_score AS own
        ON own.submission_id = alike.submission_id
        AND own.metric = alike.metric
        AND own.signature_id = alike.signature_id
    JOIN sentence_score AS base
        ON base.submission_id = alike.base_submission_id
        AND base.metric = alike.metric
        AND base.signature_id = alike.signature_id
        AND base.sentence_no = own.sentence_no
    UNION ALL
    SELECT
        own.submission_id, base.submission_id, own.criterion || '_z', 'higher',
        own.sentence_no, own.z_score, base.z_score
    FROM human_score AS own
    JOIN submission AS run ON run.submission_id = own.submission_id
    JOIN human_score AS base
        ON base.criterion = own.criterion AND base.sentence_no = own.sentence_no
        AND base.submission_id <> own.submission_id
    JOIN submission AS base_run
        ON base_run.submission_id = base.submission_id
        AND base_run.treebank_id = run.treebank_id
        AND base_run.campaign_id = run.campaign_id
)
SELECT
    identity.* EXCLUDE (params, tags),
    pair.base_submission_id,                       -- the submission that it is compared with
    base_run.system_id AS base_system_id,          -- the system of the base
    base_run.iteration AS base_iteration,          -- the iteration of the base
    pair.metric,                                   -- name of the metric, or of a human score such as adequacy_z
    pair.sentence_no,                              -- the sentence
    sentence.sent_id,                              -- its sent_id in the treebank
    pair.score - pair.base_score AS change,        -- the submission's score minus that of the base
    CASE WHEN pair.better = 'higher' THEN change < 0 ELSE change > 0 END
        AS is_worse,                               -- whether the submission is worse than its base on it
    pair.base_score,                               -- score of the base
    pair.score,                                    -- score of the submission
    sentence.text AS reference,                    -- the reference text
    base_output.text AS base_output,               -- text of the base; NULL where there is none
    own_output.text AS output,                     -- text of the submission
    pair.base_submission_id AS other_submission_id,  -- deprecated: base_submission_id
    pair.base_score AS other_score,                -- deprecated: base_score
    identity.params,
    identity.tags
FROM pair
JOIN submission_identity AS identity ON identity.submission_id = pair.submission_id
JOIN submission AS base_run
    ON base_run.submission_id = pair.base_submission_id
    AND base_run.treebank_id = identity.treebank_id
JOIN sentence
    ON sentence.treebank_id = identity.treebank_id
    AND sentence.sentence_no = pair.sentence_no
JOIN output AS base_output
    ON base_output.submission_id = pair.base_submission_id
    AND base_output.sentence_no = pair.sentence_no
JOIN output AS own_output
    ON own_output.submission_id = pair.submission_id
    AND own_output.sentence_no = pair.sentence_no
WHERE pair.score IS NOT NULL AND pair.base_score IS NOT NULL;
