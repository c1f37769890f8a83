-- gated_measures: one row per measure that one of two submissions has, and the new one's score.
SELECT measure, max(score) FILTER (submission_id = $new) AS score
FROM submission_measures
WHERE submission_id IN ($new, $base)
GROUP BY measure, kind
ORDER BY kind, measure;
