-- compare_graph_files: one row per aspect of what two files of graphs share, or per pair of graphs and aspect where $by is 'pair'.
-- Cai & Knight 2013; aspects by Damonte et al. 2017. F1, precision and recall are those of sums (micro average).
WITH matched AS (
    SELECT
        graph_match_rows.*,
        if($by = 'pair', sentence_no, NULL) AS pair,
        if($by = 'pair', graph_pair.id, NULL) AS id,
        graph_overlap('', matched, parsed_triples, gold_triples) AS f1
    FROM graph_match_rows
    JOIN graph_pair USING (sentence_no)
),
summed AS (
    SELECT
        pair, id, aspect,
        sum(matched ORDER BY sentence_no) AS matched,
        sum(parsed_triples)::BIGINT AS triples,
        sum(gold_triples)::BIGINT AS gold_triples,
        avg(f1 ORDER BY sentence_no) AS mean_f1,
        count(*) AS pairs,
        count_if(status = 'no graph')::BIGINT AS without_graph,
        count_if(status NOT IN ('optimal', 'no graph'))::BIGINT AS unproved,
        sum(gap ORDER BY sentence_no) AS gap
    FROM matched
    GROUP BY pair, id, aspect
)
SELECT
    pair, id, aspect,
    graph_overlap('', matched, triples, gold_triples) AS f1,
    graph_overlap('_precision', matched, triples, gold_triples) AS precision,
    graph_overlap('_recall', matched, triples, gold_triples) AS recall,
    mean_f1, matched, triples, gold_triples, pairs, without_graph, unproved, gap
FROM summed
ORDER BY pair, list_position($aspects, aspect);
