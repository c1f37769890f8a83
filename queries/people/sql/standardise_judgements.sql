-- standardise_judgements: one row per ordinary or repeated judgement at hand: its score as a z-score.
-- By the mean and the $deviation standard deviation of all the annotator's raw scores on the criterion, $within
-- the campaign or the treebank. Where they do not vary the z-score is $unvaried: NULL, or 0.
-- With a $calibration set, a test set that annotators judged in common, raw scores are moved by what the
-- annotator rates its outputs below their mean rating; annotators who judged none of it are left out.
CREATE TEMP TABLE standardised_judgement AS
WITH scale AS (
    SELECT
        annotator_id,
        criterion,
        CASE WHEN $within = 'treebank' THEN treebank_id END AS within,
        avg(raw_score ORDER BY raw_score) AS mean,
        CASE
            WHEN min(raw_score) = max(raw_score) THEN NULL
            WHEN $deviation = 'sample' THEN stddev_samp(raw_score ORDER BY raw_score)
            ELSE stddev_pop(raw_score ORDER BY raw_score)
        END AS deviation
    FROM judgement_at_hand
    GROUP BY ALL
),
common AS (
    SELECT
        annotator_id,
        criterion,
        submission_id,
        sentence_no,
        avg(raw_score ORDER BY raw_score) AS own
    FROM judgement_at_hand
    WHERE treebank_id = $calibration AND kind IN ('ordinary', 'repeat') AND submission_id IS NOT NULL
    GROUP BY ALL
),
calibrated AS (
    SELECT annotator_id, criterion, avg(of_all - own ORDER BY of_all - own) AS below
    FROM common
    JOIN (
        SELECT criterion, submission_id, sentence_no, avg(own ORDER BY own) AS of_all
        FROM common
        GROUP BY ALL
    ) USING (criterion, submission_id, sentence_no)
    GROUP BY ALL
)
SELECT
    judgement.* REPLACE (judgement.raw_score + coalesce(below, 0) AS raw_score),
    scale.mean + coalesce(below, 0) AS scale_mean,
    scale.deviation AS scale_deviation,
    if(
        scale.deviation IS NULL, $unvaried, (judgement.raw_score - scale.mean) / scale.deviation
    )::DOUBLE
        AS z_score,
    coalesce(quality.passed, false) AS passed
FROM judgement_at_hand AS judgement
JOIN annotator_quality AS quality USING (campaign_id, annotator_id, criterion)
JOIN scale
    ON scale.annotator_id = judgement.annotator_id
    AND scale.criterion = judgement.criterion
    AND coalesce(scale.within = judgement.treebank_id, true)
LEFT JOIN calibrated
    ON calibrated.annotator_id = judgement.annotator_id
    AND calibrated.criterion = judgement.criterion
WHERE kind IN ('ordinary', 'repeat')
    AND submission_id IS NOT NULL
    AND ($calibration IS NULL OR below IS NOT NULL);
