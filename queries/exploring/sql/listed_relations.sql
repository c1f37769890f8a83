-- listed_relations: one row per relation of a submission: how often its edges are found, and those that a base alone finds or lacks, where both were looked for alike.
WITH own AS (
    SELECT edge_outcome.signature_id, sentence_no, deprels, found
    FROM edge_outcome
    SEMI JOIN current_scoring USING (submission_id, signature_id)
    JOIN reference_edges USING (sentence_no)
    WHERE submission_id = $submission AND treebank_id = $treebank
),
edge AS (
    SELECT unnest(deprels) AS deprel, unnest(own.found) AS found, unnest(base.found) AS base_found
    FROM own
    LEFT JOIN edge_outcome AS base
        ON base.submission_id = $base
        AND base.signature_id = own.signature_id AND base.sentence_no = own.sentence_no
)
SELECT
    deprel,
    count_if(NOT found)                                AS missed,
    avg(found)                                         AS dea,
    count(*)                                           AS edges,
    avg(base_found)                                    AS base_dea,
    avg(found) - avg(base_found)                       AS change,
    count_if(found < base_found)                       AS lost,
    count_if(found > base_found)                       AS won
FROM edge
GROUP BY deprel
ORDER BY missed DESC, deprel;
