-- compared_measures: one row per submission and measure, without patterns and scores by label unless they are asked for.
-- $submissions: their ids. $measures: names, NULL for all; $parts: whether parts of metrics (relations, rules, aspects) are among all.
SELECT measure, submission_id, kind, item, better, score, n
FROM submission_measures
WHERE list_contains($submissions, submission_id)
    AND CASE
        WHEN $measures IS NOT NULL THEN list_contains($measures, measure)
        ELSE kind IN ('metric', 'human', 'errors') OR $parts AND kind NOT IN ('pattern', 'slice')
    END
ORDER BY kind, measure;
