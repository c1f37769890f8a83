-- graphs: one row per meaning graph that belongs to no sentence, or whose counts cannot be, and per sentence without its row.
WITH graph AS (
    SELECT
        'gold_graph' AS source, treebank_id AS target, '' AS parser, sentence_no,
        penman, variables, triples, NULL::DOUBLE AS quality, flag
    FROM gold_graph
    UNION ALL
    SELECT 'reference_graph', treebank_id, parser, sentence_no, penman, variables, triples, quality, flag
    FROM reference_graph
    UNION ALL
    SELECT 'output_graph', submission_id, parser, sentence_no, penman, variables, triples, quality, flag
    FROM output_graph
),
asked AS (
    SELECT 'gold_graph' AS source, treebank_id AS target, '' AS parser, sentence_no
    FROM sentence
    SEMI JOIN (FROM treebank WHERE scheme = 'amr') AS treebank USING (treebank_id)
    UNION ALL
    SELECT 'reference_graph', treebank_id, parser, sentence_no
    FROM (SELECT DISTINCT treebank_id, parser FROM reference_graph)
    JOIN sentence USING (treebank_id)
    UNION ALL
    SELECT 'output_graph', submission_id, parser, sentence_no
    FROM (SELECT DISTINCT submission_id, parser FROM output_graph)
    JOIN output USING (submission_id)
)
SELECT
    'no row of a graph' AS fault,  -- what is wrong
    source,                        -- the table
    target,                        -- the treebank or submission
    parser,                        -- the parser; empty for gold graphs
    sentence_no                    -- the sentence
FROM asked
ANTI JOIN graph USING (source, target, parser, sentence_no)
UNION ALL
SELECT 'graph of no sentence', source, target, parser, sentence_no
FROM graph
ANTI JOIN asked USING (source, target, parser, sentence_no)
UNION ALL
SELECT 'counts that cannot be', source, target, parser, sentence_no
FROM graph
-- Each node has a concept and all but the top hang on an edge; each has a place in the text.
WHERE penman IS NOT NULL
    AND NOT (variables > 0 AND triples >= 2 * variables - 1 AND length(penman) > 3 * variables)
UNION ALL
SELECT 'no graph, but counts or no reason', source, target, parser, sentence_no
FROM graph
WHERE penman IS NULL AND (variables <> 0 OR triples <> 0 OR flag IS NULL)
UNION ALL
SELECT 'quality not from 0 to 1', source, target, parser, sentence_no
FROM graph
WHERE NOT coalesce(quality BETWEEN 0 AND 1, true);
