-- listed_pair_relations: one row per relation: edges that one of two submissions finds and the other does not, where they were looked for alike.
-- p-values are those of the stored comparison, where it has some; what changed by more than chance stands first.
WITH alike AS (
    SELECT signature_id
    FROM scoring AS own
    JOIN scoring AS other USING (metric, signature_id)
    WHERE own.target = $submission AND other.target = $base AND metric = 'dea'
    ORDER BY own.revision DESC
    LIMIT 1
),
edge AS (
    SELECT
        unnest(deprels)     AS deprel,
        unnest(own.found)   AS found,
        unnest(other.found) AS base_found
    FROM alike
    JOIN edge_outcome AS own USING (signature_id)
    JOIN edge_outcome AS other USING (signature_id, sentence_no)
    JOIN reference_edges USING (sentence_no)
    WHERE own.submission_id = $submission AND other.submission_id = $base
        AND treebank_id = $treebank
)
SELECT
    deprel,
    count_if(found < base_found) AS lost,
    count_if(found > base_found) AS won,
    avg(base_found)              AS base_dea,
    avg(found)                   AS dea,
    avg(found) - avg(base_found) AS change,
    any_value(p_holm)            AS p_holm,
    count(*)                     AS edges
FROM edge
LEFT JOIN (
    SELECT measure, p_holm
    FROM measure_changes
    WHERE submission_id = $submission AND base_submission_id = $base
) AS tested ON tested.measure = 'dea[' || deprel || ']'
GROUP BY deprel
ORDER BY round(any_value(p_holm), 3) NULLS LAST, greatest(won, lost) DESC, edges DESC, deprel;
