-- listed_chosen: one row per run of a system and param or tag that is not what it was in the run before.
WITH run AS (
    SELECT
        submission_id, campaign_id, treebank_id, track, iteration, params, tags,
        previous_run(submission) AS previous_submission_id
    FROM submission
    WHERE system_id = $system
),
told AS (
    SELECT submission_id, 'param' AS kind, key AS name, value ->> '$' AS value
    FROM submission, json_each(coalesce(params, '{}'))
    UNION ALL
    SELECT submission_id, 'tag', key, value ->> '$'
    FROM submission, json_each(coalesce(tags, '{}'))
),
own AS (SELECT told.* FROM told SEMI JOIN run USING (submission_id)),
before AS (
    SELECT run.submission_id, kind, name, value
    FROM told
    JOIN run ON run.previous_submission_id = told.submission_id
)
SELECT submission_id, kind, name, before.value AS before, own.value AS now
FROM own
FULL JOIN before USING (submission_id, kind, name)
JOIN run USING (submission_id)
WHERE previous_submission_id IS NOT NULL AND own.value IS DISTINCT FROM before.value
ORDER BY campaign_id, treebank_id, track, iteration DESC, kind, name;
