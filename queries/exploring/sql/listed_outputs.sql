-- listed_outputs: one row per submission that has a sentence: its output, how it is scored, and which edges it won and lost since its system's run before.
-- $rows: so many, the newest of each system first, and those named in $submissions; NULL for all. `listed`: how many there are.
WITH every_run AS (
    SELECT
        submission_id, system_id, campaign_id, iteration,
        lag(submission_id) OVER (
            PARTITION BY campaign_id, system_id ORDER BY iteration, submission_id
        ) AS submission_before,
        row_number() OVER (
            PARTITION BY campaign_id, system_id ORDER BY iteration DESC, submission_id DESC
        ) AS age,
        count(*) OVER () AS listed
    FROM submission
    WHERE treebank_id = $treebank AND ($system IS NULL OR system_id = $system)
),
run AS MATERIALIZED (
    SELECT *
    FROM every_run
    QUALIFY $rows IS NULL
        OR list_contains($submissions, submission_id)
        OR row_number() OVER (ORDER BY age, system_id, campaign_id) <= $rows
),
looked_at AS MATERIALIZED (
    SELECT submission_id FROM run
    UNION
    SELECT submission_before FROM run
),
scored AS MATERIALIZED (
    SELECT submission_id, metric, signature_id
    FROM current_scoring
    SEMI JOIN looked_at USING (submission_id)
),
-- A branch for each metric: the scores of one lie together, and those of others are not read.
part AS (
    SELECT submission_id, 'score' AS name, score
    FROM sentence_score SEMI JOIN scored USING (submission_id, signature_id)
    WHERE sentence_no = $sentence_no AND metric = $metric
    UNION ALL SELECT submission_id, '{headline}', score
    FROM sentence_score SEMI JOIN scored AS {headline} USING (submission_id, signature_id)
    WHERE sentence_no = $sentence_no AND sentence_score.metric = '{headline}'
),
score AS (
    SELECT
        submission_id,
        any_value(score) FILTER (name = '{headline}') AS {headline},
        any_value(score) FILTER (name = 'score') AS score
    FROM part
    GROUP BY submission_id
),
human AS (
    SELECT
        submission_id,
        any_value(z_score) FILTER (criterion = 'adequacy') AS adequacy_z,
        any_value(z_score) FILTER (criterion = 'fluency') AS fluency_z
    FROM human_score
    WHERE sentence_no = $sentence_no
    GROUP BY submission_id
),
edge AS (
    SELECT list_transform(
        deprels, lambda deprel, place: coalesce(deprel, '_') || '(' || lemmas[positions[place]] || ')'
    ) AS edges
    FROM reference_edges
    JOIN reference_lemmas USING (treebank_id, sentence_no)
    WHERE treebank_id = $treebank AND sentence_no = $sentence_no
),
outcome AS (
    SELECT submission_id, found
    FROM edge_outcome
    SEMI JOIN scored USING (submission_id, signature_id)
    WHERE sentence_no = $sentence_no
),
followed AS (
    SELECT run.*, text, own.found, before.found AS found_before
    FROM run
    JOIN output USING (submission_id)
    LEFT JOIN outcome AS own USING (submission_id)
    LEFT JOIN outcome AS before ON before.submission_id = submission_before
    WHERE sentence_no = $sentence_no
)
SELECT
    submission_id, system_id, campaign_id, iteration, text AS output,
    score,
    {headline},
    adequacy_z, fluency_z,
    nullif(array_to_string(list_filter(
        edges, lambda edge, place: found[place] > found_before[place]
    ), ', '), '') AS won,
    nullif(array_to_string(list_filter(
        edges, lambda edge, place: found[place] < found_before[place]
    ), ', '), '') AS lost,
    submission_before,
    listed
FROM followed
LEFT JOIN score USING (submission_id)
LEFT JOIN human USING (submission_id)
LEFT JOIN edge ON true
ORDER BY system_id, campaign_id, iteration, submission_id;
