-- report_signatures: one row per way of scoring, its treebank left out, with the treebanks scored that way.
SELECT
    metric,
    regexp_replace(signature, '\|treebank:.*$', '') AS signature,
    count(*) AS submissions
FROM submission_metrics
WHERE list_contains($submissions, submission_id)
GROUP BY ALL
ORDER BY ALL;
