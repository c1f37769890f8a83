-- human_notes: one row per criterion at hand: counts that a reader of its scores should know.
WITH annotator AS (
    SELECT
        criterion,
        count(passed) AS tested,
        count(*) - count(passed) AS untested,
        count(*) FILTER (WHERE passed) AS passed
    FROM annotator_quality
    WHERE campaign_id = $campaign_id
    GROUP BY criterion
),
several AS (
    SELECT criterion, count(*) AS of_several_treebanks
    FROM (
        SELECT criterion, annotator_id
        FROM judgement_at_hand
        GROUP BY ALL
        HAVING count(DISTINCT treebank_id) > 1
    )
    GROUP BY criterion
),
unstandardised AS (
    SELECT criterion, count(DISTINCT annotator_id) AS unvaried
    FROM standardised_judgement
    WHERE scale_deviation IS NULL
    GROUP BY criterion
),
output_judged AS (
    SELECT criterion, submission_id, sentence_no, bool_or(passed) AS by_passing
    FROM standardised_judgement
    GROUP BY ALL
),
outputs AS (
    SELECT
        criterion,
        count(*) AS outputs,
        count(*) FILTER (WHERE NOT by_passing) AS outputs_by_failed
    FROM output_judged
    GROUP BY criterion
),
hit AS (
    SELECT
        criterion, annotator_id, hit_id,
        count(*) >= $fewest
        AND min(raw_score) < max(raw_score)
        AND min(original_score) < max(original_score) AS defined
    FROM judgement_pair
    WHERE kind = 'repeat'
    GROUP BY ALL
),
repeated AS (
    SELECT criterion, count(*) AS hits, count(*) FILTER (WHERE NOT defined) AS hits_left_out
    FROM hit
    GROUP BY criterion
),
control AS (
    SELECT criterion, count(*) AS controls
    FROM judgement_at_hand
    WHERE kind IN ('repeat', 'degraded')
    GROUP BY criterion
),
paired AS (
    SELECT criterion, count(*) AS pairs
    FROM judgement_pair
    GROUP BY criterion
)
SELECT
    criterion, tested, untested, passed,
    coalesce(of_several_treebanks, 0) AS of_several_treebanks,
    coalesce(unvaried, 0) AS unvaried,
    coalesce(outputs, 0) AS outputs,
    coalesce(outputs_by_failed, 0) AS outputs_by_failed,
    coalesce(hits, 0) AS hits,
    coalesce(hits_left_out, 0) AS hits_left_out,
    coalesce(controls, 0) - coalesce(pairs, 0) AS unpaired
FROM (SELECT DISTINCT criterion FROM judgement_at_hand) AS at_hand
JOIN annotator USING (criterion)
LEFT JOIN several USING (criterion)
LEFT JOIN unstandardised USING (criterion)
LEFT JOIN outputs USING (criterion)
LEFT JOIN repeated USING (criterion)
LEFT JOIN control USING (criterion)
LEFT JOIN paired USING (criterion)
ORDER BY criterion;
