-- best_run: the submission, of some, whose score by a measure is the best; the earliest of equals.
SELECT submission_id
FROM submission_measures
WHERE list_contains($submissions, submission_id) AND measure = $measure AND score IS NOT NULL
ORDER BY CASE better WHEN 'higher' THEN -score ELSE score END, iteration, submission_id
LIMIT 1;
