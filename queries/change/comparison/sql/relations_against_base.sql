-- relations_against_base: one row per submission, relation and net change of a sentence's edges, with how many sentences have it.
WITH pair AS (
    SELECT
        new.submission_id,
        base.submission_id AS base_submission_id,
        scored.signature_id
    FROM (SELECT unnest($submissions) AS submission_id, unnest($bases) AS base_submission_id) AS asked
    JOIN submission AS new ON new.submission_id = asked.submission_id
    JOIN submission AS base ON base.submission_id = asked.base_submission_id
    JOIN current_scoring AS scored ON scored.submission_id = new.submission_id
    JOIN current_scoring AS base_scored
        ON base_scored.submission_id = base.submission_id
        AND base_scored.signature_id = scored.signature_id
    WHERE scored.metric = 'dea' AND new.treebank_id = base.treebank_id
),
by_sentence AS (
    SELECT
        pair.submission_id,
        edge.deprel,
        count(*)                                                     AS edges,
        count_if(edge.found > base_edge.found)                       AS gained,
        count_if(edge.found < base_edge.found)                       AS lost
    FROM pair
    JOIN edge_match AS edge
        ON edge.submission_id = pair.submission_id AND edge.signature_id = pair.signature_id
    JOIN edge_match AS base_edge
        ON base_edge.submission_id = pair.base_submission_id
        AND base_edge.signature_id = pair.signature_id
        AND base_edge.sentence_no = edge.sentence_no
        AND base_edge.token_no = edge.token_no
    GROUP BY pair.submission_id, edge.deprel, edge.sentence_no
)
SELECT
    submission_id,
    deprel,
    gained - lost       AS net,
    count(*)            AS sentences,
    sum(edges)::BIGINT  AS edges,
    sum(gained)::BIGINT AS gained,
    sum(lost)::BIGINT   AS lost
FROM by_sentence
GROUP BY ALL
ORDER BY submission_id, deprel, net;
