-- tracked_runs: one row per tag of a run that shows something of ours, in an MLflow store: SQLite runs this, on a store's own file.
SELECT
    runs.run_uuid, runs.status, experiments.experiment_id, explorer.value AS explorer, tags.key, tags.value
FROM experiments
JOIN runs ON runs.experiment_id = experiments.experiment_id
JOIN tags ON tags.run_uuid = runs.run_uuid
LEFT JOIN experiment_tags AS explorer
    ON explorer.experiment_id = experiments.experiment_id AND explorer.key = 'sr_tracker.explorer'
WHERE
    experiments.name = :experiment
    AND experiments.lifecycle_stage = 'active'
    AND runs.lifecycle_stage = 'active'
    AND tags.key LIKE 'sr_tracker.%'
ORDER BY runs.run_uuid;
