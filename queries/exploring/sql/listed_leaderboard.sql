-- listed_leaderboard: one row per submission: its scores, the interval of one of them where that was computed, and people's ranks; together stand those whose scores are comparable.
-- $rows: so many in all, but at least ten of a test set; NULL for all. `listed`: how many there are of the test set.
WITH way AS (
    SELECT submission_id, signature_id, signature.signature
    FROM current_scoring
    JOIN signature USING (signature_id, metric)
    WHERE metric = $metric
),
ranked AS (
    SELECT
        submission_id,
        any_value(cluster) FILTER (WHERE criterion = 'adequacy') AS adequacy_cluster,
        any_value(if(rank_from = rank_to, rank_from || '', rank_from || '–' || rank_to))
            FILTER (WHERE criterion = 'adequacy') AS adequacy_rank,
        any_value(cluster) FILTER (WHERE criterion = 'fluency') AS fluency_cluster,
        any_value(if(rank_from = rank_to, rank_from || '', rank_from || '–' || rank_to))
            FILTER (WHERE criterion = 'fluency') AS fluency_rank
    FROM human_leaderboard
    WHERE chosen
    GROUP BY submission_id
),
chosen AS (
    SELECT leaderboard.*, trial_sd, signature_id, signature, low, high, ranked.* EXCLUDE (submission_id)
    FROM leaderboard
    LEFT JOIN way USING (submission_id)
    LEFT JOIN (SELECT submission_id, low, high FROM metric_intervals WHERE metric = $metric) AS of_score
        USING (submission_id)
    LEFT JOIN (SELECT submission_id, trial_sd FROM submission_metrics WHERE metric = $metric) AS varying
        USING (submission_id)
    LEFT JOIN ranked USING (submission_id)
    WHERE ($submissions IS NULL OR list_contains($submissions, submission_id))
        AND ($campaign IS NULL OR campaign_id = $campaign)
        AND ($treebank IS NULL OR treebank_id = $treebank)
        AND contains(lower(submission_id), lower($find))
    QUALIFY $every_run OR is_newest(leaderboard)
),
placed AS (
    SELECT
        CASE WHEN $score IS NOT NULL
            THEN rank() OVER (alike ORDER BY $direction * $score DESC NULLS LAST) END AS place,
        *,
        count(*) OVER alike AS alike_rows,
        count(*) OVER (PARTITION BY campaign_id, treebank_id) AS listed
    FROM chosen
    WINDOW alike AS (PARTITION BY campaign_id, treebank_id, signature_id)
),
in_order AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY campaign_id, treebank_id
            ORDER BY
                alike_rows DESC,
                signature_id,
                CASE WHEN NOT $down THEN $sort END NULLS LAST,
                CASE WHEN $down THEN $sort END DESC NULLS LAST,
                submission_id
        ) AS line
    FROM placed
)
SELECT * EXCLUDE (signature_id, alike_rows, line)
FROM in_order
WHERE $rows IS NULL OR line <= greatest(
    10,
    $rows // nullif((SELECT count(*) FROM (SELECT DISTINCT campaign_id, treebank_id FROM placed)), 0)
)
ORDER BY campaign_id, treebank_id, line;
