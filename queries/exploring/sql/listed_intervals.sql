-- listed_intervals: one row per submission and metric whose score has an interval.
SELECT submission_id, metric AS measure, low, high
FROM score_intervals
WHERE list_contains($submissions, submission_id) AND low IS NOT NULL;
