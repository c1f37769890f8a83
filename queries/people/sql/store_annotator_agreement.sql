-- store_annotator_agreement: one row per criterion and kind of agreement of the $annotators ('all' or 'passing').
-- intra: Pearson's r on exact repeats within a HIT, averaged over the HITs where it is defined (Mille et al. 2018,
-- section 3.2.2). alpha: Krippendorff's for interval data over outputs that several annotators judged; an annotator's
-- value for an output is the mean of the ordinary judgements. For interval data alpha is one minus the mean variance
-- within outputs, each weighted by its values, over the variance of all values.
-- Reads repeat_correlation, paired_rating and agreement_interval: an interval, or why there is none, for each of them.
INSERT INTO annotator_agreement BY NAME
WITH criterion_at_hand AS (
    SELECT DISTINCT criterion FROM counted_annotator SEMI JOIN judgement_at_hand USING (criterion)
),
intra AS (
    SELECT
        criterion,
        avg(correlation ORDER BY annotator_id, hit_id) AS agreement,
        count(correlation) AS units,
        2 * coalesce(sum(pairs) FILTER (WHERE correlation IS NOT NULL), 0) AS judgements,
        count(*) AS hits
    FROM repeat_correlation
    GROUP BY criterion
),
output_judged AS (
    SELECT
        criterion, treebank_id, submission_id, sentence_no,
        count(*) * var_samp(score ORDER BY annotator_id) AS weighted_variance
    FROM paired_rating
    GROUP BY ALL
),
within_outputs AS (
    SELECT
        criterion,
        count(*) AS units,
        sum(weighted_variance ORDER BY treebank_id, submission_id, sentence_no) AS variance
    FROM output_judged
    GROUP BY criterion
),
overall AS (
    SELECT
        criterion,
        sum(judgements) AS judgements,
        count(*) * CASE
            WHEN min(score) < max(score)
            THEN var_samp(score ORDER BY treebank_id, submission_id, sentence_no, annotator_id)
        END AS variance
    FROM paired_rating
    GROUP BY criterion
),
agreed AS (
    SELECT
        criterion,
        'intra' AS kind,
        agreement,
        coalesce(units, 0) AS units,
        coalesce(judgements, 0) AS judgements,
        CASE
            WHEN hits IS NULL THEN 'no repeats'
            WHEN agreement IS NULL THEN 'no HIT with enough repeats whose scores vary'
        END AS undefined_reason
    FROM criterion_at_hand
    LEFT JOIN intra USING (criterion)
    UNION ALL
    SELECT
        criterion,
        'alpha',
        1 - within_outputs.variance / overall.variance,
        coalesce(units, 0),
        coalesce(judgements, 0),
        CASE
            WHEN units IS NULL THEN 'no output with several annotators'
            WHEN overall.variance IS NULL THEN 'all scores are the same'
        END
    FROM criterion_at_hand
    LEFT JOIN within_outputs USING (criterion)
    LEFT JOIN overall USING (criterion)
)
SELECT
    $campaign_id AS campaign_id,
    $annotators AS annotators,
    agreed.*,
    if(agreed.agreement IS NULL, NULL, low) AS low,
    if(agreed.agreement IS NULL, NULL, high) AS high,
    resampling_unit,
    clusters,
    if(agreed.agreement IS NULL, agreed.undefined_reason, no_interval) AS no_interval
FROM agreed
LEFT JOIN agreement_interval USING (criterion, kind)
ORDER BY criterion, kind;
