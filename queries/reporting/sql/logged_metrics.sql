-- logged_metrics: one row per submission and number that its run shows, in the folder of numbers of its kind.
-- That ids lie between two, unlike that a list contains them, reaches the tables beneath a view's groups.
WITH measured AS (
    SELECT submission_id, 'metrics' AS folder, metric AS name, score AS value FROM submission_metrics
    UNION ALL
    SELECT submission_id, 'errors', 'coverage', coverage FROM coverage
    UNION ALL
    SELECT submission_id, 'errors', 'missing', missing FROM coverage
    UNION ALL
    SELECT submission_id, 'human', criterion || '_z', z_mean FROM human_criterion_means
    UNION ALL
    SELECT submission_id, 'human', criterion || '_raw', raw_mean FROM human_criterion_means
    UNION ALL
    SELECT submission_id, 'human', 'judged_sentences', count(DISTINCT sentence_no)
    FROM human_score GROUP BY submission_id
    UNION ALL
    SELECT
        submission_id,
        regexp_extract(measure, '^[^\[]*'),
        coalesce(nullif(regexp_extract(measure, '\[(.*)\]$', 1), ''), 'all'),
        score
    FROM submission_measures WHERE kind NOT IN ('metric', 'human', 'pattern', 'slice', 'grammar rule')
)
SELECT submission_id, folder, name, value
FROM measured
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
    AND list_contains($submissions, submission_id);
