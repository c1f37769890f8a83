-- split_failed: one row per scored sentence of the submissions at hand: whether it failed.
-- Where lower scores are better ($direction is -1) those from the threshold up fail.
CREATE OR REPLACE TEMP TABLE failed_sentence AS
WITH scored AS (
    SELECT submission_id, sentence_no, score
    FROM analysed_score
    WHERE measure = $metric AND score IS NOT NULL
    UNION ALL
    SELECT submission_id, sentence_no, errors_of($metric, criterion, errors)
    FROM marked_outputs
    SEMI JOIN pending_analysis USING (submission_id)
    WHERE errors_of($metric, criterion, errors) IS NOT NULL
),
highest AS (
    SELECT
        submission_id,
        coalesce(
            $threshold::DOUBLE,
            $direction * quantile_disc($direction * score, $quantile::DOUBLE)
        ) AS threshold
    FROM scored
    GROUP BY submission_id
)
SELECT
    submission_id, sentence_no, threshold,
    $direction * score <= $direction * threshold AS failed
FROM scored
JOIN highest USING (submission_id)
ORDER BY submission_id, sentence_no;
