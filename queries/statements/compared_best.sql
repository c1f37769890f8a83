-- compared_best: one row: of some submissions the one with the best score by a measure, the earliest of equals.
SELECT submission_id
FROM submission_measures
WHERE list_contains($submissions, submission_id) AND measure = $measure AND score IS NOT NULL
ORDER BY CASE better WHEN 'higher' THEN -score ELSE score END, iteration, submission_id
LIMIT 1;
