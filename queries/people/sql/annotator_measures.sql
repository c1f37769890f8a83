-- annotator_measures: one row per annotator and criterion at hand: how scores spread, and how control items were rated.
WITH scores AS (
    SELECT
        annotator_id,
        criterion,
        count(*) AS judgements,
        avg(raw_score ORDER BY judgement_no) AS raw_mean,
        CASE
            WHEN min(raw_score) < max(raw_score) THEN stddev_samp(raw_score ORDER BY judgement_no)
            WHEN count(*) > 1 THEN 0
        END AS sample_deviation,
        CASE
            WHEN min(raw_score) < max(raw_score) THEN stddev_pop(raw_score ORDER BY judgement_no)
            ELSE 0
        END AS population_deviation,
        count(*) FILTER (WHERE kind = 'reference') AS references_judged,
        avg(raw_score ORDER BY judgement_no) FILTER (WHERE kind = 'reference') AS reference_mean
    FROM judgement_at_hand
    GROUP BY ALL
),
difference AS (
    SELECT *, original_score - raw_score AS lower_by
    FROM judgement_pair
),
degraded AS (
    SELECT
        annotator_id,
        criterion,
        count(*) AS degraded_pairs,
        avg(lower_by ORDER BY judgement_no) AS degraded_difference,
        CASE
            WHEN min(lower_by) < max(lower_by) THEN stddev_samp(lower_by ORDER BY judgement_no)
            WHEN count(*) > 1 THEN 0
        END AS difference_deviation
    FROM difference
    WHERE kind = 'degraded'
    GROUP BY ALL
),
repeated AS (
    SELECT
        annotator_id,
        criterion,
        count(*) AS repeat_pairs,
        avg(abs(lower_by) ORDER BY judgement_no) AS repeat_difference,
        avg(lower_by ORDER BY judgement_no) AS repeat_shift,
        CASE
            WHEN min(lower_by) < max(lower_by) THEN stddev_samp(lower_by ORDER BY judgement_no)
            WHEN count(*) > 1 THEN 0
        END AS repeat_deviation,
        CASE
            WHEN count(*) >= $fewest
                AND min(raw_score) < max(raw_score)
                AND min(original_score) < max(original_score)
            THEN greatest(-1, least(1, corr(raw_score, original_score ORDER BY judgement_no)))
        END AS repeat_correlation
    FROM difference
    WHERE kind = 'repeat'
    GROUP BY ALL
)
SELECT
    annotator_id,
    criterion,
    judgements,
    raw_mean,
    sample_deviation,
    population_deviation,
    coalesce(degraded_pairs, 0) AS degraded_pairs,
    degraded_difference,
    difference_deviation,
    coalesce(repeat_pairs, 0) AS repeat_pairs,
    repeat_difference,
    repeat_shift,
    repeat_deviation,
    repeat_correlation,
    references_judged,
    reference_mean
FROM scores
LEFT JOIN degraded USING (annotator_id, criterion)
LEFT JOIN repeated USING (annotator_id, criterion)
ORDER BY criterion, annotator_id;
