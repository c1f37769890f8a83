-- submissions: one row per submission: what it is, how it was read and how complete it is.
-- grain: submission_id
-- reads: output_count, submission_identity
-- group: load
CREATE OR REPLACE VIEW submissions AS
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
    identity.params,
    identity.tags
FROM submission
JOIN submission_identity AS identity ON identity.submission_id = submission.submission_id
JOIN output_count ON output_count.submission_id = submission.submission_id
LEFT JOIN system ON system.system_id = submission.system_id
ORDER BY submission.campaign_id, submission.treebank_id, submission.system_id, submission.iteration;
