-- scored_run: one row per submission, and further trial of one: what outputs and scores are stored under, and what they rest on.
-- grain: submission_id
-- group: internal
CREATE OR REPLACE VIEW scored_run AS
SELECT
    submission_id,                          -- the submission, or the trial: its id with #2, #3, …
    submission_id AS of_submission_id,      -- the submission
    campaign_id,                            -- its campaign
    treebank_id,                            -- its treebank
    reference_form,                         -- what surface metrics compare with: text or tokens
    analysis,                               -- what turned text into output tokens, with version
    sha256                                  -- hash of the outputs and of what decides how they are read
FROM submission
UNION ALL
SELECT
    trial_submission_id,
    submission_id,
    campaign_id,
    treebank_id,
    reference_form,
    analysis,
    trial.sha256
FROM trial
JOIN submission USING (submission_id)
WHERE trial_no > 1;
