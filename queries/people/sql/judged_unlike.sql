-- judged_unlike: one row per criterion at hand: what makes its judgements hard to compare.
-- $fewest: an annotator's ratings tell a scale from so many on. $short: the highest rating of a short scale.
-- grain: criterion
WITH annotator AS (
    SELECT
        criterion,
        annotator_id,
        count(DISTINCT submission_id) AS systems,
        count(*) FILTER (submission_id IS NOT NULL) AS judgements,
        count(*) >= $fewest AND max(raw_score) <= $short AS is_short
    FROM judgement_at_hand
    GROUP BY ALL
),
annotators AS (
    SELECT
        criterion,
        count(*) AS annotators,
        count(*) FILTER (systems = 1) AS of_one_system,
        coalesce(sum(judgements) FILTER (systems = 1), 0)::BIGINT AS judgements_of_one_system,
        sum(judgements)::BIGINT AS judgements,
        list(annotator_id ORDER BY annotator_id) FILTER (is_short) AS short_scale
    FROM annotator
    GROUP BY criterion
),
at_hand AS (
    SELECT
        criterion,
        count(DISTINCT submission_id) AS systems,
        min(raw_score) AS lowest,
        max(raw_score) AS highest
    FROM judgement_at_hand
    GROUP BY criterion
),
named AS (
    SELECT DISTINCT criterion, 'annotator' AS kind, annotator_id AS name FROM judgement_at_hand
    UNION ALL
    SELECT DISTINCT criterion, 'system', system_id FROM judgement_at_hand JOIN submission USING (submission_id)
),
alike AS (
    SELECT criterion, kind, list(name ORDER BY name) AS names
    FROM named
    GROUP BY criterion, kind, lower(regexp_replace(name, '[\s_.-]+', '', 'g'))
    HAVING count(*) > 1
)
SELECT
    criterion,
    systems,
    lowest,
    highest,
    annotators,
    of_one_system,
    judgements_of_one_system,
    judgements,
    coalesce(short_scale, []) AS short_scale,
    (SELECT list({'kind': kind, 'names': names} ORDER BY kind, names) FROM alike WHERE alike.criterion = at_hand.criterion)
        AS named_alike
FROM at_hand
JOIN annotators USING (criterion)
ORDER BY criterion;
