-- superseded_scorings: one row per submission, metric and scoring that is not the newest: what 'tracker keep prune' may free.
-- grain: submission_id, metric, signature_id
-- reads: signature_settings, submission_identity
-- group: look after
-- Scores by other settings, those that metric_settings tells, stand beside each other.
CREATE OR REPLACE VIEW superseded_scorings AS
WITH chosen AS (
    SELECT
        scoring.target AS submission_id,
        scoring.metric,
        scoring.signature_id,
        scoring.scored_at,
        scoring.revision,
        signature.signature,
        coalesce(all_settings, '') AS choice
    FROM scoring
    JOIN signature USING (signature_id)
    LEFT JOIN (
        SELECT signature_id, string_agg(settings, '|' ORDER BY choice) AS all_settings
        FROM signature_settings
        GROUP BY signature_id
    ) AS going USING (signature_id)
),
newest AS (
    SELECT
        submission_id,
        metric,
        choice,
        arg_max(signature_id, revision) AS signature_id,
        arg_max(signature, revision) AS signature,
        arg_max(scored_at, revision) AS scored_at
    FROM chosen
    GROUP BY submission_id, metric, choice
)
SELECT
    identity.* EXCLUDE (params, tags),
    chosen.metric,                                                 -- name of the metric
    chosen.scored_at,                                              -- when it was scored
    old_score.score,                                               -- the score of then; NULL where undefined
    newest.scored_at AS newest_scored_at,                          -- when it was scored last
    new_score.score AS newest_score,                               -- the score that counts
    new_score.score - old_score.score AS change,                   -- its change
    chosen.signature,                                              -- how it was computed then
    newest.signature AS newest_signature,                          -- how it was computed last
    chosen.signature_id,                                           -- short hash of the signature of then
    newest.signature_id AS newest_signature_id,                    -- short hash of the newest signature
    identity.params,
    identity.tags
FROM chosen
JOIN submission_identity AS identity USING (submission_id)
JOIN newest
    ON newest.submission_id = chosen.submission_id
    AND newest.metric = chosen.metric
    AND newest.choice = chosen.choice
    AND newest.signature_id <> chosen.signature_id
LEFT JOIN submission_score AS old_score
    ON old_score.submission_id = chosen.submission_id
    AND old_score.signature_id = chosen.signature_id
LEFT JOIN submission_score AS new_score
    ON new_score.submission_id = chosen.submission_id
    AND new_score.signature_id = newest.signature_id
ORDER BY identity.submission_id, chosen.metric, chosen.revision;
