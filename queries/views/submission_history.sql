-- submission_history: one row per submission in the order of its system's iterations, with the change from its base, the run before.
-- grain: submission_id
-- reads: leaderboard, submission_identity
-- group: compare and follow
-- listed: first
-- The base is the parent or, where none is known because iterations were loaded out of order,
-- the system's previous iteration on the track. Scores on another treebank or against another
-- reference form are not comparable: there the changes are NULL.
CREATE OR REPLACE VIEW submission_history AS
WITH run AS (
    SELECT
        *,
        previous_run(submission) AS base_submission_id
    FROM submission
)
SELECT
    identity.* EXCLUDE (params, tags),
    run.parent_submission_id,                      -- the run it was developed from, where that is known
    run.base_submission_id,                        -- the run it is compared with
    run.created_at,                                -- when the model run was made
    own.{metric},  -- {comment}
    own.{metric} - base.{metric} AS {metric}_change,  -- its change from the base
    run.base_submission_id AS previous_submission_id,  -- deprecated: base_submission_id
    identity.params,
    identity.tags
FROM run
JOIN submission_identity AS identity ON identity.submission_id = run.submission_id
JOIN leaderboard AS own
    ON own.submission_id = run.submission_id
LEFT JOIN leaderboard AS base
    ON base.submission_id = run.base_submission_id
    AND base.treebank_id = run.treebank_id
    AND base.reference_form = run.reference_form
ORDER BY run.campaign_id, run.system_id, run.treebank_id, run.track, run.iteration, run.submission_id;
