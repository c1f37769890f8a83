-- submissions: one row per submission: what it is, how it was read and how complete it is.
CREATE OR REPLACE VIEW submissions AS
SELECT
    submission.submission_id,           -- the submission
    submission.campaign_id,             -- the campaign
    campaign.year,                      -- year of the campaign
    submission.system_id,               -- the system
    system.team,                        -- who built it
    system.kind,                        -- team, baseline or human
    submission.treebank_id,             -- the treebank
    treebank.language,                  -- language code of the treebank
    submission.track,                   -- shallow, deep or any other name
    submission.iteration,               -- iteration of the system, from 1
    submission.parent_submission_id,    -- the run it was developed from
    submission.created_at,              -- when the model run was made: given, or when it was first loaded
    submission.reference_form,          -- what surface metrics compare with: text or tokens
    submission.analysis,                -- what turned text into output tokens, with version
    coverage.sentences,                 -- sentences of the treebank
    coverage.missing,                   -- sentences without an output: they score 0
    submission.source                   -- name of the file it was read from
FROM submission
JOIN coverage ON coverage.submission_id = submission.submission_id
LEFT JOIN campaign ON campaign.campaign_id = submission.campaign_id
LEFT JOIN system ON system.system_id = submission.system_id
LEFT JOIN treebank ON treebank.treebank_id = submission.treebank_id
ORDER BY submission.campaign_id, submission.treebank_id, submission.system_id, submission.iteration;
