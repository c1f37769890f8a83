-- submission_history: one row per submission in the order of its system's iterations, with the change from the run before.
-- grain: submission_id
-- reads: leaderboard, submission_identity
-- group: compare and follow
-- The run before is the parent or, where none is known because iterations were loaded out of order,
-- the system's previous iteration on the track. Scores on another treebank or against another
-- reference form are not comparable: there the changes are NULL.
CREATE OR REPLACE VIEW submission_history AS
WITH run AS (
    SELECT
        *,
        previous_run(submission) AS previous_submission_id
    FROM submission
)
SELECT
    identity.* EXCLUDE (params, tags),
    run.parent_submission_id,                      -- the run it was developed from, where that is known
    run.previous_submission_id,                    -- the run it is compared with
    run.created_at,                                -- when the model run was made
    own.{metric},  -- {comment}
    own.{metric} - previous.{metric} AS {metric}_change,  -- its change from the run before
    identity.params,
    identity.tags
FROM run
JOIN submission_identity AS identity ON identity.submission_id = run.submission_id
JOIN leaderboard AS own
    ON own.submission_id = run.submission_id
LEFT JOIN leaderboard AS previous
    ON previous.submission_id = run.previous_submission_id
    AND previous.treebank_id = run.treebank_id
    AND previous.reference_form = run.reference_form
ORDER BY run.campaign_id, run.system_id, run.treebank_id, run.track, run.iteration, run.submission_id;
