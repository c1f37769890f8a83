-- standardise_judgements: one row per ordinary or repeated judgement at hand: its score as a z-score.
-- By the mean and the $deviation standard deviation of all the annotator's raw scores on the criterion, $within
-- the campaign or the treebank. Where they do not vary the z-score is $unvaried: NULL, or 0.
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
)
SELECT
    judgement.*,
    scale.mean AS scale_mean,
    scale.deviation AS scale_deviation,
    if(scale.deviation IS NULL, $unvaried, (raw_score - scale.mean) / scale.deviation)::DOUBLE
        AS z_score,
    coalesce(quality.passed, false) AS passed
FROM judgement_at_hand AS judgement
JOIN annotator_quality AS quality USING (campaign_id, annotator_id, criterion)
JOIN scale
    ON scale.annotator_id = judgement.annotator_id
    AND scale.criterion = judgement.criterion
    AND coalesce(scale.within = judgement.treebank_id, true)
WHERE kind IN ('ordinary', 'repeat') AND submission_id IS NOT NULL;
