-- history_runs: one row per submission of a system, all or the latest of each line, with what was chosen for it and
-- for the run before it.
SELECT
    history.submission_id,
    history.campaign_id,
    history.treebank_id,
    history.track,
    history.iteration,
    history.created_at,
    history.parent_submission_id,
    history.previous_submission_id,
    submission.params,
    submission.tags,
    previous.params AS previous_params,
    previous.tags AS previous_tags,
    count(*) OVER line AS iterations
FROM submission_history AS history
JOIN submission ON submission.submission_id = history.submission_id
JOIN campaign ON campaign.campaign_id = history.campaign_id
LEFT JOIN submission AS previous ON previous.submission_id = history.previous_submission_id
WHERE list_contains($submissions, history.submission_id)
WINDOW line AS (PARTITION BY history.campaign_id, history.treebank_id, history.track)
QUALIFY $last::BIGINT IS NULL
OR row_number() OVER (line ORDER BY history.iteration DESC, history.submission_id DESC) <= $last::BIGINT
ORDER BY
    campaign.year,
    history.campaign_id,
    history.treebank_id,
    history.track,
    history.iteration,
    history.submission_id;
