-- submission_overview: one row per submission: what it is, which file it is of, how that was read and how complete it is.
-- grain: submission_id
-- reads: output_count, submission_identity
-- group: load
-- listed: first
-- formerly: submissions
CREATE OR REPLACE VIEW submission_overview AS
SELECT
    identity.* EXCLUDE (params, tags),
    system.team,                        -- who built it
    submission.parent_submission_id,    -- the run it was developed from
    submission.created_at,              -- when the model run was made: given, or when it was first loaded
    submission.reference_form,          -- what surface metrics compare with: text or tokens
    submission.analysis,                -- what turned text into output tokens, with version
    output_count.sentences,             -- sentences of the treebank
    sentences - outputs AS missing,     -- sentences without an output: they score 0
    submission.source,                  -- name of the file it was read from
    submission.sha256,                  -- hash of its outputs and of what decides how they are read
    loaded.loaded_at,                   -- when these outputs were loaded last
    loaded.tool,                        -- version of sr-tracker that loaded them
    identity.params,
    identity.tags
FROM submission
JOIN submission_identity AS identity ON identity.submission_id = submission.submission_id
JOIN output_count ON output_count.submission_id = submission.submission_id
LEFT JOIN (
    SELECT target, sha256, max(ingested_at) AS loaded_at, arg_max(tool, ingested_at) AS tool
    FROM ingestion
    GROUP BY target, sha256
) AS loaded
    ON loaded.target = submission.submission_id AND loaded.sha256 = submission.sha256
LEFT JOIN system ON system.system_id = submission.system_id
ORDER BY submission.campaign_id, submission.treebank_id, submission.system_id, submission.iteration;
