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
edge AS (
    SELECT
        pair.submission_id,
        new_edges.sentence_no,
        unnest(deprels)          AS deprel,
        unnest(new_edges.found)  AS found,
        unnest(base_edges.found) AS base_found
    FROM pair
    JOIN edge_outcome AS new_edges
        ON new_edges.submission_id = pair.submission_id
        AND new_edges.signature_id = pair.signature_id
    JOIN edge_outcome AS base_edges
        ON base_edges.submission_id = pair.base_submission_id
        AND base_edges.signature_id = pair.signature_id
        AND base_edges.sentence_no = new_edges.sentence_no
    JOIN submission ON submission.submission_id = pair.submission_id
    JOIN reference_edges
        ON reference_edges.treebank_id = submission.treebank_id
        AND reference_edges.sentence_no = new_edges.sentence_no
),
by_sentence AS (
    SELECT
        submission_id,
        deprel,
        count(*)                     AS edges,
        sum(found)                   AS found,
        count_if(found > base_found) AS gained,
        count_if(found < base_found) AS lost
    FROM edge
    GROUP BY submission_id, deprel, sentence_no
)
SELECT
    submission_id,
    deprel,
    gained - lost       AS net,
    count(*)            AS sentences,
    sum(edges)::BIGINT  AS edges,
    sum(found)::BIGINT  AS found,
    sum(gained)::BIGINT AS gained,
    sum(lost)::BIGINT   AS lost
FROM by_sentence
GROUP BY ALL
ORDER BY submission_id, deprel, net;
