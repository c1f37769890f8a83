-- sentence_ratings: one row per criterion and sentence with outputs in paired_rating: what alpha is made of, as sums over ratings.
-- Ratings are less the mean of the criterion's, which alpha does not see and sums of squares do.
WITH centred AS (
    SELECT *, score - avg(score) OVER (PARTITION BY criterion) AS rating
    FROM paired_rating
),
output_judged AS (
    SELECT
        criterion, treebank_id, submission_id, sentence_no,
        count(*) AS ratings,
        count(*) * var_samp(rating ORDER BY annotator_id) AS weighted_variance,
        sum(rating ORDER BY annotator_id) AS total,
        sum(rating ** 2 ORDER BY annotator_id) AS squares
    FROM centred
    GROUP BY ALL
)
SELECT
    criterion, treebank_id, sentence_no,
    sum(ratings)::DOUBLE AS ratings,
    sum(weighted_variance ORDER BY submission_id) AS weighted_variance,
    sum(total ORDER BY submission_id) AS total,
    sum(squares ORDER BY submission_id) AS squares
FROM output_judged
GROUP BY ALL
ORDER BY criterion, treebank_id, sentence_no;
