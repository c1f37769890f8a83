-- newest_mining_of: one row: the newest mining of the selected submissions, and how many it mined.
SELECT
    settings,
    count(*) FILTER (undefined_reason IS NULL) AS submissions,
    min(undefined_reason) AS undefined_reason
FROM error_mining
JOIN current_analysis USING (submission_id, signature_id)
WHERE list_contains($submissions, submission_id) AND labels = $labels AND metric = $metric
GROUP BY settings
ORDER BY max(revision) DESC, settings
LIMIT 1;
