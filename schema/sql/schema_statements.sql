-- best_run: the submission, of some, whose score by a measure is the best; the earliest of equals.
SELECT submission_id
FROM submission_measures
WHERE list_contains($submissions, submission_id) AND measure = $measure AND score IS NOT NULL
ORDER BY CASE better WHEN 'higher' THEN -score ELSE score END, iteration, submission_id
LIMIT 1;

-- campaign_treebanks: one row per treebank that outputs of a campaign may be for: no training splits.
SELECT treebank_id
FROM treebank
JOIN campaign_treebank USING (treebank_id)
WHERE campaign_id = $campaign AND split IS DISTINCT FROM 'train'
UNION
SELECT treebank_id FROM submission WHERE campaign_id = $campaign;

-- run_then: one row: which of some submissions was the last one made until a moment.
-- $submissions: their ids. $moment: the moment.
SELECT submission_id
FROM submission
WHERE list_contains($submissions, submission_id) AND created_at <= $moment
ORDER BY created_at DESC, iteration DESC
LIMIT 1;

-- temporary_objects: one row per temporary view or table of the connection, views before the tables they read.
SELECT 'VIEW', view_name FROM duckdb_views() WHERE temporary AND NOT internal
UNION ALL
SELECT 'TABLE', table_name FROM duckdb_tables() WHERE temporary;
