-- logged_metrics: one row per submission and number that its run shows.
WITH measured AS (
    SELECT submission_id, metric AS name, score AS value FROM submission_metrics
    UNION ALL
    SELECT submission_id, 'coverage', coverage FROM coverage
    UNION ALL
    SELECT submission_id, 'missing', missing FROM coverage
    UNION ALL
    SELECT submission_id, criterion || '_z', z_mean FROM human_criterion_means
    UNION ALL
    SELECT submission_id, criterion || '_raw', raw_mean FROM human_criterion_means
    UNION ALL
    SELECT submission_id, 'judged_sentences', count(DISTINCT sentence_no)
    FROM human_score GROUP BY submission_id
    UNION ALL
    SELECT submission_id, regexp_replace(measure, '\[(.*)\]$', '/\1'), score
    FROM submission_measures WHERE kind NOT IN ('metric', 'human', 'pattern', 'grammar rule')
)
SELECT submission_id, name, value
FROM measured
WHERE list_contains($submissions, submission_id);
