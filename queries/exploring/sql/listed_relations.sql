-- listed_relations: one row per submission and relation: how often its edges are found, and those that a base alone finds or lacks, where both were looked for alike.
-- $bases: that of each of the $submissions, '' for none.
WITH pair AS (
    SELECT unnest($submissions) AS submission_id, unnest($bases) AS base_submission_id
),
own AS (
    SELECT submission_id, base_submission_id, signature_id, sentence_no, deprels, found
    FROM edge_outcome
    JOIN pair USING (submission_id)
    SEMI JOIN current_scoring USING (submission_id, signature_id)
    JOIN submission USING (submission_id)
    JOIN reference_edges USING (treebank_id, sentence_no)
    WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
),
edge AS (
    SELECT
        own.submission_id,
        unnest(deprels) AS deprel,
        unnest(own.found) AS found,
        unnest(base.found) AS base_found
    FROM own
    LEFT JOIN edge_outcome AS base
        ON base.submission_id = base_submission_id
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
    count_if(found > base_found)                       AS won,
    submission_id
FROM edge
GROUP BY submission_id, deprel
ORDER BY submission_id, missed DESC, deprel;
