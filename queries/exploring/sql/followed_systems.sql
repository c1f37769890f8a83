-- followed_systems: one row per system and test set, those with the newest runs first: its runs' scores by the metric that it is followed by.
-- `scores` are those of its last runs, $points at most; `first` is the score of the first one, `best_iteration` of all the one that is best.
-- That is the first primary metric of the campaign, else the first of $measures, that its newest run was scored by;
-- of raw text in languages without blanks it is $of_letters.
WITH run AS (
    SELECT
        submission_id, campaign_id, system_id, treebank_id, track, iteration, reference_form, created_at,
        previous_run(submission) AS base_submission_id
    FROM submission
    ANTI JOIN (FROM system WHERE kind = 'human') USING (system_id)
),
line AS (
    SELECT
        campaign_id, system_id, treebank_id, track,
        arg_max(reference_form, iteration) = 'text'
            AND bool_or(coalesce(list_contains($without_blanks, language), false)) AS is_unspaced,
        count(*) AS runs,
        max(created_at) AS newest,
        arg_max(submission_id, iteration) AS submission_id
    FROM run
    JOIN treebank USING (treebank_id)
    GROUP BY ALL
    ORDER BY newest DESC, submission_id
    LIMIT $rows
),
scored AS (
    SELECT submission_id, metric, signature_id, score
    FROM current_scoring
    JOIN submission_score USING (submission_id, metric, signature_id)
    WHERE score IS NOT NULL
),
followed AS (
    SELECT
        line.*,
        scored.metric,
        scored.signature_id
    FROM line
    JOIN scored USING (submission_id)
    LEFT JOIN primary_metric USING (campaign_id, metric)
    QUALIFY row_number() OVER (
        PARTITION BY line.submission_id
        ORDER BY
            primary_metric.place NULLS LAST,
            is_unspaced AND scored.metric <> $of_letters,
            list_position($measures, scored.metric) NULLS LAST,
            scored.metric
    ) = 1
)
SELECT
    followed.system_id,
    followed.treebank_id,
    any_value(followed.campaign_id)                                   AS campaign_id,
    any_value(followed.track)                                         AS track,
    any_value(followed.metric)                                        AS measure,
    any_value(followed.runs)                                          AS runs,
    arg_min(scored.score, run.iteration)                              AS first,
    arg_max(run.iteration, row(
        CASE WHEN signature.better = 'lower' THEN -scored.score ELSE scored.score END, -run.iteration
    ))                                                                AS best_iteration,
    list(scored.score ORDER BY run.iteration)[-$points:]              AS scores,
    list(coalesce(current_comparison.outcome, '') ORDER BY run.iteration)[-$points:] AS outcomes
FROM followed
JOIN run USING (campaign_id, system_id, treebank_id, track)
JOIN scored ON scored.submission_id = run.submission_id
    AND scored.metric = followed.metric
    AND scored.signature_id = followed.signature_id
JOIN signature ON signature.signature_id = followed.signature_id AND signature.metric = followed.metric
LEFT JOIN current_comparison ON current_comparison.submission_id = run.submission_id
    AND current_comparison.base_submission_id = run.base_submission_id
GROUP BY followed.submission_id, followed.system_id, followed.treebank_id, followed.newest
ORDER BY followed.newest DESC, followed.submission_id;
