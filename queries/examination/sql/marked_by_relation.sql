-- marked_by_relation: one row per criterion, kind of tree and relation: words, or outputs, with it, and those that are marked.
-- Where the trees of another treebank are given ($trees) they stand in place of the references'. Words are placed
-- in the texts of $parsed submissions alone, whose outputs have trees.
WITH unit AS (
    SELECT submission_id, criterion, tree, deprels, marked
    FROM marked_units
    WHERE if(tree = 'output', list_contains($parsed, submission_id), $trees IS NULL)
    UNION ALL
    SELECT submission_id, criterion, $trees, deprels, grave
    FROM marked_outputs
    JOIN sentence_relations AS given USING (sentence_no)
    WHERE given.treebank_id = $trees
),
chosen AS (
    FROM unit
    WHERE list_contains($submissions, submission_id) AND ($criterion IS NULL OR criterion = $criterion)
),
whole AS (
    SELECT criterion, tree, count(*) AS all_units, count(*) FILTER (WHERE marked) AS all_marked
    FROM chosen
    GROUP BY ALL
),
of_relation AS (
    SELECT criterion, tree, unnest(deprels) AS deprel, marked
    FROM chosen
),
counted AS (
    SELECT criterion, tree, deprel, count(*) AS units, count(*) FILTER (WHERE marked) AS marked
    FROM of_relation
    GROUP BY ALL
)
SELECT
    criterion, tree, deprel, units, marked,
    units * all_marked / all_units AS expected,
    marked / units AS rate,
    wilson(marked, units)[1] AS low,
    wilson(marked, units)[2] AS high,
    (all_marked - marked) / nullif(all_units - units, 0) AS rate_elsewhere,
    all_units,
    all_marked
FROM counted
JOIN whole USING (criterion, tree)
ORDER BY criterion, tree, low DESC, deprel;
