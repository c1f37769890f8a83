-- shared_measures: one row per measure that all submissions have, relations, patterns and their like left out.
SELECT measure
FROM submission_measures
WHERE list_contains($submissions, submission_id) AND NOT contains(measure, '[')
    AND score IS NOT NULL
GROUP BY measure
HAVING count(DISTINCT submission_id) = len(list_distinct($submissions))
ORDER BY measure;
