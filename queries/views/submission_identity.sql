-- submission_identity: one row per submission: the columns by which every view about submissions tells it.
-- grain: submission_id
-- group: internal
CREATE OR REPLACE VIEW submission_identity AS
SELECT
    submission.submission_id,     -- the submission
    submission.campaign_id,       -- the campaign
    campaign.year,                -- year of the campaign
    submission.system_id,         -- the system
    coalesce(system.kind, 'team')
        AS system_kind,           -- team, baseline or human
    submission.treebank_id,       -- the treebank
    treebank.language,            -- language code of the treebank
    submission.track,             -- shallow, deep or any other name
    submission.iteration,         -- iteration of the system, from 1
    submission.params,            -- parameters of the model run
    submission.tags               -- free labels of the model run
FROM submission
LEFT JOIN campaign ON campaign.campaign_id = submission.campaign_id
LEFT JOIN system ON system.system_id = submission.system_id
LEFT JOIN treebank ON treebank.treebank_id = submission.treebank_id;
