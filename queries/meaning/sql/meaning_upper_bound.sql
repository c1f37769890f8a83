-- meaning_upper_bound: one row: precision, recall and F1 of the parses of references, sentences, and those without a graph.
WITH summed AS (
    SELECT
        sum(matched ORDER BY sentence_no) AS matched,
        sum(parsed_triples) AS parsed_triples,
        sum(gold_triples) AS gold_triples,
        count(*) AS sentences,
        count_if(status = 'no graph') AS missing
    FROM reference_graph_match
    WHERE signature_id = $signature_id AND treebank_id = $treebank_id AND aspect = 'all'
)
SELECT
    graph_overlap('_precision', matched, parsed_triples, gold_triples),
    graph_overlap('_recall', matched, parsed_triples, gold_triples),
    graph_overlap('', matched, parsed_triples, gold_triples),
    sentences,
    missing
FROM summed;
