-- compared_edges: one row per relation and pair of sentences: edges of both references, and which of two submissions found them.
WITH edge AS MATERIALIZED (  -- else edges are joined before sentences, each with those of all others
    SELECT place, base_no, token_no, deprel, found
    FROM compared_sentence
    JOIN edge_match
        ON submission_id = $new AND signature_id = $new_signature AND sentence_no = new_no
)
SELECT
    edge.deprel,
    place,
    count(*)                                    AS edges,
    sum(edge.found)::BIGINT                     AS found_new,
    sum(base_edge.found)::BIGINT                AS found_base,
    count_if(edge.found > base_edge.found)      AS gained,
    count_if(edge.found < base_edge.found)      AS lost
FROM edge
JOIN edge_match AS base_edge
    ON base_edge.submission_id = $base AND base_edge.signature_id = $base_signature
    AND base_edge.sentence_no = base_no
    AND base_edge.token_no = edge.token_no
    AND base_edge.deprel = edge.deprel
GROUP BY edge.deprel, place
ORDER BY edge.deprel, place;
