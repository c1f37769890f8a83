-- gec_acceptability: one row per annotator, metric and contrast: how often the better of two variants that differ has the better score.
-- Pratapa et al. 2021, section A.4: the inequality is strict.
WITH contrast AS (
    FROM (VALUES
        (1, 'source', 'target'),
        (2, 'source', 'morph'),
        (3, 'source', 'rest'),
        (4, 'morph', 'target'),
        (5, 'rest', 'target')
    ) AS contrast (place, worse, better)
),
pair AS (
    SELECT contrast.place, worse.annotator, worse.sentence
    FROM contrast
    JOIN gec_variant AS worse ON worse.variant = contrast.worse
    JOIN gec_variant AS better
        ON better.variant = contrast.better
        AND better.annotator = worse.annotator
        AND better.sentence = worse.sentence
    WHERE worse.text <> better.text
),
score AS (
    SELECT
        annotator, sentence, variant, metric,
        if(lower_is_better, -score, score) AS score
    FROM gec_score
    JOIN gec_metric USING (metric)
),
compared AS (
    SELECT
        pair.annotator, pair.place, gec_metric.metric,
        count(*) AS pairs,
        count_if(worse.score < better.score) AS correct,
        count_if(worse.score > better.score) AS wrong,
        count_if(worse.score = better.score) AS ties,
        count_if(worse.score IS NULL OR better.score IS NULL) AS unscored
    FROM pair
    JOIN contrast USING (place)
    CROSS JOIN gec_metric
    LEFT JOIN score AS worse
        ON worse.annotator = pair.annotator
        AND worse.sentence = pair.sentence
        AND worse.variant = contrast.worse
        AND worse.metric = gec_metric.metric
    LEFT JOIN score AS better
        ON better.annotator = pair.annotator
        AND better.sentence = pair.sentence
        AND better.variant = contrast.better
        AND better.metric = gec_metric.metric
    GROUP BY pair.annotator, pair.place, gec_metric.metric
)
SELECT
    annotator.annotator,
    gec_metric.metric,
    contrast.worse,
    contrast.better,
    compared.correct / compared.pairs AS accuracy,
    coalesce(pairs, 0)::INTEGER AS pairs,
    coalesce(correct, 0)::INTEGER AS correct,
    coalesce(wrong, 0)::INTEGER AS wrong,
    coalesce(ties, 0)::INTEGER AS ties,
    coalesce(unscored, 0)::INTEGER AS unscored,
    if(compared.pairs IS NULL, 'no pair differs', NULL) AS reason
FROM contrast
CROSS JOIN gec_metric
CROSS JOIN (SELECT DISTINCT annotator FROM gec_variant) AS annotator
LEFT JOIN compared
    ON compared.place = contrast.place
    AND compared.metric = gec_metric.metric
    AND compared.annotator = annotator.annotator
ORDER BY annotator.annotator, gec_metric.place, contrast.place;
