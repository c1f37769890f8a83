-- split_failed: one row per scored sentence of the submissions at hand: whether it failed.
CREATE OR REPLACE TEMP TABLE failed_sentence AS
WITH scored AS (
    SELECT submission_id, sentence_no, score
    FROM analysed_score
    WHERE measure = $metric AND score IS NOT NULL
),
highest AS (
    SELECT
        submission_id,
        coalesce($threshold::DOUBLE, quantile_disc(score, $quantile::DOUBLE)) AS threshold
    FROM scored
    GROUP BY submission_id
)
SELECT submission_id, sentence_no, threshold, score <= threshold AS failed
FROM scored
JOIN highest USING (submission_id)
ORDER BY submission_id, sentence_no;
