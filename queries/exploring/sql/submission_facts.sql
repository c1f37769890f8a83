-- submission_facts: one row: a submission as it was loaded, the run before it, and how many outputs it has.
SELECT
    run.submission_id,
    run.campaign_id,
    run.system_id,
    run.treebank_id,
    treebank.language,
    run.iteration,
    run.created_at,
    run.reference_form,
    run.analysis,
    run.source,
    run.params,
    coalesce(system.kind, 'team') AS system_kind,
    system.team,
    run.previous_submission_id,
    (SELECT count(*) FROM output WHERE submission_id = $submission)    AS sentences,
    (SELECT count(text) FROM output WHERE submission_id = $submission) AS outputs
FROM (SELECT *, previous_run(submission) AS previous_submission_id FROM submission) AS run
JOIN treebank USING (treebank_id)
LEFT JOIN system USING (system_id)
WHERE run.submission_id = $submission;
