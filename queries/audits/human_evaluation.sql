-- human_evaluation: one row per result of an evaluation by people that cannot be, such as a mean out of range.
WITH annotator AS (
    SELECT campaign_id, criterion, count(*) FILTER (WHERE passed) AS passed
    FROM annotator_quality
    GROUP BY ALL
),
rated_alone AS (
    SELECT
        campaign_id, treebank_id, criterion, submission_id, sentence_no,
        any_value(annotator_id) AS annotator_id,
        round(avg(raw_score ORDER BY raw_score), 9) AS rating,
        count(*) AS judgements
    FROM judgement
    WHERE kind IN ('ordinary', 'repeat') AND submission_id IS NOT NULL
    GROUP BY ALL
    HAVING count(DISTINCT annotator_id) = 1
)
SELECT
    'annotator out of range' AS fault,  -- what is wrong
    campaign_id,                        -- the campaign
    criterion,                          -- what was judged
    annotator_id AS about               -- the annotator, the submission or the kind of agreement
FROM annotator_quality
WHERE judgements < 1
    OR NOT rating_possible(criterion, raw_mean)
    OR (sample_deviation IS NULL) <> (judgements = 1)
    OR NOT (population_deviation >= 0 AND (starts_with(criterion, 'mqm') OR population_deviation <= 50))
    OR degraded_pairs + repeat_pairs + references_judged > judgements
    OR NOT coalesce(degraded_p_value BETWEEN 0 AND 1, true)
    OR NOT coalesce(repeat_p_value BETWEEN 0 AND 1, true)
    OR NOT coalesce(repeat_correlation BETWEEN -1 AND 1, true)
    OR NOT coalesce(rating_possible(criterion, reference_mean), true)
UNION ALL
SELECT 'annotator without verdict or reason', campaign_id, criterion, annotator_id
FROM annotator_quality
WHERE coalesce(passed, false) <> (reason IS NULL) OR (passed IS NULL) <> (degraded_pairs < 2)
UNION ALL
SELECT 'annotator without judgements', campaign_id, criterion, annotator_id
FROM annotator_quality
ANTI JOIN judgement USING (campaign_id, criterion, annotator_id)
UNION ALL
SELECT 'standardisation without annotators', campaign_id, criterion, annotators
FROM standardisation
LEFT JOIN annotator USING (campaign_id, criterion)
WHERE annotators NOT IN ('all', 'passing')
    OR deviation NOT IN ('sample', 'population')
    OR passed IS NULL
    OR (annotators = 'passing' AND passed = 0)
UNION ALL
SELECT 'equal ratings by one annotator with different z-scores', campaign_id, criterion, annotator_id
FROM rated_alone
JOIN human_score USING (submission_id, sentence_no, criterion, judgements)
WHERE source = 'judgements' AND round(raw_mean, 9) = rating
GROUP BY campaign_id, treebank_id, criterion, annotator_id, rating
HAVING count(DISTINCT z_score) > 1
UNION ALL
SELECT 'ranking without its standardisation', campaign_id, criterion, submission_id
FROM human_ranking
ANTI JOIN standardisation USING (campaign_id, criterion)
UNION ALL
SELECT 'ranked submission that is not there, or of another treebank', campaign_id, criterion, submission_id
FROM human_ranking
ANTI JOIN submission USING (campaign_id, submission_id, treebank_id)
UNION ALL
SELECT 'ranking out of range', campaign_id, criterion, submission_id
FROM human_ranking
WHERE NOT rating_possible(criterion, raw_mean)
    OR NOT coalesce(isfinite(z_mean), true)
    OR NOT (sentences BETWEEN 1 AND assessments)
    OR (cluster IS NULL) <> (rank_from IS NULL)
    OR (cluster IS NULL) <> (rank_to IS NULL)
    OR NOT coalesce(cluster BETWEEN 1 AND rank_from AND rank_from <= rank_to, true)
UNION ALL
SELECT 'agreement without value or reason', campaign_id, criterion, kind
FROM annotator_agreement
WHERE (agreement IS NULL) <> (undefined_reason IS NOT NULL)
    OR (agreement IS NOT NULL AND units = 0)
    OR agreement > 1
    OR (kind = 'intra' AND agreement < -1)
    OR kind NOT IN ('intra', 'alpha')
    OR (low IS NULL) <> (no_interval IS NOT NULL)
    OR (low IS NULL) <> (high IS NULL)
    OR low > high
UNION ALL
SELECT 'comparison without value or reason', campaign_id, criterion, submission_id
FROM human_comparison
WHERE (u IS NULL) <> (undefined_reason IS NOT NULL) OR submission_id = other_submission_id
UNION ALL
SELECT 'comparison without its ranking', campaign_id, criterion, submission_id
FROM human_comparison
ANTI JOIN human_ranking USING (campaign_id, treebank_id, criterion, annotators, submission_id)
ORDER BY ALL;
