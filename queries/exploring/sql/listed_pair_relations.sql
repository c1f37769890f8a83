-- listed_pair_relations: one row per relation: edges that one of two submissions finds and the other does not, where they were looked for alike.
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
    count(*)                     AS edges
FROM edge
GROUP BY deprel
ORDER BY greatest(won, lost) DESC, edges DESC, deprel;
